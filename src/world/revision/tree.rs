//! The files of a revision as a folder has them: links inside the folder are followed,
//! by the rules of a folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::super::MAX_DOCUMENT;
use super::super::file::{self, Parsed};
use super::super::folder::{self, MAX_LINKED_FOLDERS};
use super::super::problem::Problem;

/// Links that one path may lead through, as in a file system.
const MAX_HOPS: usize = 40;

/// A file of the tree that is a document by its name.
pub(super) struct Entry {
    /// The object that holds its bytes.
    pub(super) object: String,
    /// Its path in the world.
    pub(super) path: String,
    /// Where its bytes are in the tree.
    pub(super) real: String,
    /// What a message calls it.
    pub(super) shown: PathBuf,
}

/// All files of a tree by their paths, which have no `/` before them.
#[derive(Default)]
pub(super) struct Tree {
    files: BTreeMap<String, File>,
    /// Where links lead, by their paths.
    links: HashMap<String, String>,
    /// The names of files and folders in each folder; the folder itself is "".
    folders: BTreeMap<String, BTreeSet<String>>,
}

struct File {
    object: String,
    size: usize,
    is_text_name: bool,
}

/// A folder to be entered.
struct Folder {
    real: String,
    path: String,
    parent: Option<usize>,
}

impl Tree {
    /// Reads what `ls-tree -r -z --long` lists. Links come with the objects that hold
    /// where they lead.
    pub(super) fn read(listed: &[u8]) -> (Self, Vec<(String, String)>) {
        let mut tree = Self::default();
        let mut links = Vec::new();
        tree.folders.entry(String::new()).or_default();
        for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let Some(tab) = memchr::memchr(b'\t', line) else { continue };
            let head = String::from_utf8_lossy(&line[..tab]).into_owned();
            let mut fields = head.split_ascii_whitespace();
            let (Some(mode), Some(kind), Some(object), Some(size)) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            if kind != "blob" {
                continue;
            }
            let name = String::from_utf8_lossy(&line[tab + 1..]).into_owned();
            tree.enter(&name);
            if mode == "120000" {
                links.push((name, object.to_owned()));
                continue;
            }
            let file = File {
                object: object.to_owned(),
                size: size.parse().unwrap_or(0),
                is_text_name: std::str::from_utf8(&line[tab + 1..]).is_ok(),
            };
            tree.files.insert(name, file);
        }
        (tree, links)
    }

    /// Names a path in each folder around it.
    fn enter(&mut self, path: &str) {
        let mut rest = path;
        loop {
            let (folder, name) = rest.rsplit_once('/').unwrap_or(("", rest));
            let names = self.folders.entry(folder.to_owned()).or_default();
            if !names.insert(name.to_owned()) || folder.is_empty() {
                return;
            }
            rest = folder;
        }
    }

    /// Takes where a link leads.
    pub(super) fn link(&mut self, path: String, target: String) {
        self.links.insert(path, target);
    }

    /// How many files there are, of any name.
    pub(super) fn len(&self) -> usize {
        self.files.len() + self.links.len()
    }

    /// The documents; what is left out goes to `parsed`. `root` is what a message calls
    /// the folder.
    pub(super) fn documents(&self, root: &Path, parsed: &mut Vec<Parsed>) -> Vec<Entry> {
        let mut walk = Walk { root, entries: Vec::new(), parsed, entered: Vec::new() };
        let mut pending = vec![Folder { real: String::new(), path: String::new(), parent: None }];
        let mut links = 0;
        while let Some(folder) = pending.pop() {
            if walk.surrounds(&folder) {
                let why = "the link leads back to a folder it is in, without end";
                walk.leave_out(&folder.path, why, "remove the link");
                continue;
            }
            let index = walk.entered.len();
            for name in self.folders.get(&folder.real).into_iter().flatten() {
                if folder::is_hidden(name.as_ref()) {
                    continue;
                }
                let path = format!("{}/{name}", folder.path);
                let own = joined(&folder.real, name);
                let real = match self.links.contains_key(&own) {
                    false => own,
                    true => match self.resolved(&own) {
                        Some(real) => {
                            links += usize::from(self.folders.contains_key(&real));
                            real
                        }
                        None => {
                            if folder::is_document(name.as_ref()) {
                                let why = "the link leads out of the world, or nowhere";
                                walk.leave_out(&path, why, "copy what it leads to into the folder");
                            }
                            continue;
                        }
                    },
                };
                if let Some(file) = self.files.get(&real) {
                    if folder::is_document(name.as_ref()) {
                        walk.file(file, path, real);
                    }
                } else if self.folders.contains_key(&real) && links <= MAX_LINKED_FOLDERS {
                    pending.push(Folder { real, path, parent: Some(index) });
                }
            }
            walk.entered.push((folder.real, folder.parent));
        }
        walk.entries
    }

    /// Where a path leads when all links on it are followed; `None` if that is not in the
    /// tree.
    fn resolved(&self, path: &str) -> Option<String> {
        let mut ahead: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
        let mut at: Vec<String> = Vec::new();
        let mut hops = 0;
        while let Some(part) = ahead.pop() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    at.pop()?;
                    continue;
                }
                _ => at.push(part),
            }
            if let Some(target) = self.links.get(&at.join("/")) {
                hops += 1;
                if hops > MAX_HOPS || target.starts_with('/') {
                    return None;
                }
                at.pop();
                ahead.extend(target.rsplit('/').map(str::to_owned));
            }
        }
        let real = at.join("/");
        (self.files.contains_key(&real) || self.folders.contains_key(&real)).then_some(real)
    }
}

struct Walk<'a> {
    root: &'a Path,
    entries: Vec<Entry>,
    parsed: &'a mut Vec<Parsed>,
    /// Every folder entered, with the one it is in.
    entered: Vec<(String, Option<usize>)>,
}

impl Walk<'_> {
    /// Whether a folder is one of those it is in: then a link made a loop.
    fn surrounds(&self, folder: &Folder) -> bool {
        let mut around = folder.parent;
        while let Some((real, parent)) = around.and_then(|index| self.entered.get(index)) {
            if *real == folder.real {
                return true;
            }
            around = *parent;
        }
        false
    }

    fn shown(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn leave_out(&mut self, path: &str, why: &str, help: &str) {
        self.parsed.push(Parsed::left_out(Problem::new(&self.shown(path), why, help)));
    }

    fn file(&mut self, file: &File, path: String, real: String) {
        if !file.is_text_name {
            let why = "the name of the file or of a folder around it is not UTF-8";
            self.leave_out(&path, why, "rename it");
        } else if file.size > MAX_DOCUMENT {
            self.parsed.push(Parsed::left_out(file::too_large(&self.shown(&path))));
        } else {
            let shown = self.shown(&path);
            self.entries.push(Entry { object: file.object.clone(), path, real, shown });
        }
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_inside_are_followed_and_others_are_told() {
        let listed = [
            ("100644", "a.md"),
            ("100644", "sub/b.md"),
            ("100644", "sub/.hidden/c.md"),
            ("120000", "alias.md"),
            ("120000", "linked"),
            ("120000", "sub/up"),
            ("120000", "out.md"),
            ("120000", "nowhere.md"),
            ("120000", "loop.md"),
            ("120000", "far.md"),
        ];
        let listed: String =
            listed.map(|(mode, name)| format!("{mode} blob {name} 5\t{name}\0")).concat();
        let (mut tree, links) = Tree::read(listed.as_bytes());
        assert_eq!(links.len(), 7);
        for (name, target) in [
            ("alias.md", "sub/../sub/b.md"),
            ("linked", "./sub/"),
            ("sub/up", ".."),
            ("out.md", "../x.md"),
            ("nowhere.md", "none.md"),
            ("loop.md", "loop.md"),
            ("far.md", "linked/.hidden/c.md"),
        ] {
            tree.link(name.into(), target.into());
        }
        let mut parsed = Vec::new();
        let entries = tree.documents(Path::new("f"), &mut parsed);
        let mut found: Vec<_> =
            entries.iter().map(|it| (it.path.as_str(), it.object.as_str())).collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [
                ("/a.md", "a.md"),
                ("/alias.md", "sub/b.md"),
                ("/far.md", "sub/.hidden/c.md"),
                ("/linked/b.md", "sub/b.md"),
                ("/sub/b.md", "sub/b.md"),
            ]
        );
        let mut told: Vec<String> = parsed
            .iter()
            .flat_map(|it| it.problems.iter().map(|it| it.file.display().to_string()))
            .collect();
        told.sort_unstable();
        assert_eq!(told, ["f/linked/up", "f/loop.md", "f/nowhere.md", "f/out.md", "f/sub/up"]);
        assert_eq!(tree.len(), 10);
    }
}
