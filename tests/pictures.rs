//! The pictures of the README are what the commands beside them print.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Every line of the list is a picture's name and the command that prints it. With
/// MARKSCOPE_UPDATE set the pictures are written anew; look at them before you keep
/// them.
#[test]
fn pictures_are_what_their_commands_print() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pictures");
    let list = fs::read_to_string(folder.join("commands.txt")).expect("the list");
    let mut names = vec!["commands.txt".to_owned()];
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, command) = line.split_once(": markscope ").expect("a name and a command");
        let output = Command::new(env!("CARGO_BIN_EXE_markscope"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env_clear()
            .env("XDG_CONFIG_HOME", "/nowhere")
            .args(words(command))
            .output()
            .expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        let picture = String::from_utf8(output.stdout).expect("text");
        let path = folder.join(name);
        if std::env::var_os("MARKSCOPE_UPDATE").is_some_and(|value| !value.is_empty()) {
            fs::write(&path, &picture).expect("a file");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == picture,
            "{name} is not what its command prints; MARKSCOPE_UPDATE=1 cargo test --test pictures \
             writes it anew"
        );
        names.push(name.to_owned());
    }
    let kept = fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry"));
    for entry in kept {
        let name = entry.file_name().into_string().expect("a name");
        assert!(names.contains(&name), "{name} has no command");
    }
}

/// Words of a command; what stands in quotes is one.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}
