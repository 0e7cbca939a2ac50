//! A dataset names the tasks and the rubric that belong to it by their hashes.

use serde::Deserialize;

use super::{File, ImportError, Imported, Source};
use crate::tune::hashes::of_file;

#[derive(Debug, Deserialize)]
struct Dataset {
    tasks_sha256: String,
    #[serde(default)]
    rubric_sha256: Option<String>,
}

/// Tells which of the files are not those that the dataset names.
pub(super) fn check(file: &File, files: &[File], out: &mut Imported) -> Result<(), ImportError> {
    let dataset: Dataset = file.json()?;
    let named = [
        (Source::Tasks, "tasks_sha256", Some(&dataset.tasks_sha256)),
        (Source::Rubric, "rubric_sha256", dataset.rubric_sha256.as_ref()),
    ];
    for (source, key, hash) in named {
        let Some(hash) = hash else { continue };
        for other in files.iter().filter(|other| other.source == source) {
            let is = of_file(&other.text);
            let wanted = hash.trim_start_matches("sha256-").trim_start_matches("sha256:");
            if !wanted.eq_ignore_ascii_case(&is) {
                out.remarks.push(format!(
                    "{} is not the file that {} names: its {key} is {wanted}, and this file has {is}",
                    other.name, file.name
                ));
            }
        }
    }
    Ok(())
}
