//! Files, names and arguments that are not what one expects.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The command in a home of its own; exit code, stdout, stderr. It must end soon.
fn run(home: &Path, variables: &[(&str, &str)], args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("TERM", "xterm")
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home)
        .envs(variables.iter().copied())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    wait(&mut child, args);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

/// Waits half a minute at most. What is written meanwhile fits into a pipe.
fn wait(child: &mut Child, args: &[&str]) {
    let until = Instant::now() + Duration::from_secs(30);
    while child.try_wait().expect("it can be waited for").is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(home.path().join("markscope/themes")).expect("a folder");
    home
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
}

#[test]
fn what_is_no_file_is_refused_in_a_sentence() {
    let home = home();
    let folder = home.path().join("markscope");
    let odd = |path: &Path, what: &str| match what {
        "it is a pipe, not a file" => make_pipe(path),
        "it is a folder, not a file" => fs::create_dir(path).expect("a folder"),
        "it is a device, not a file" => {
            std::os::unix::fs::symlink("/dev/zero", path).expect("a link");
        }
        // A hole of half a gigabyte takes no room on the disk.
        _ => fs::File::create(path).and_then(|file| file.set_len(1 << 29)).expect("a file"),
    };
    let take_away = |path: &Path| {
        fs::remove_file(path).or_else(|_| fs::remove_dir(path)).expect("taken away");
    };
    for what in [
        "it is a pipe, not a file",
        "it is a folder, not a file",
        "it is a device, not a file",
        "it is larger than 1 MiB",
    ] {
        for name in ["config.toml", "keys.toml", "x.toml"] {
            let path = folder.join(name);
            odd(&path, what);
            let shown = path.display().to_string();
            let theme = ["bundled", "--print", "--theme", &shown];
            let args = if name == "x.toml" { &theme[..] } else { &theme[..2] };
            let (code, stdout, stderr) = run(home.path(), &[], args);
            take_away(&path);
            assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
            assert_eq!(stderr.matches(&shown).count(), 1, "{stderr}");
            assert!(stderr.contains(&format!("cannot be read: {what}")), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        }
        // One theme of several is left out, and told.
        let path = folder.join("themes/x.toml");
        odd(&path, what);
        let (code, _, stderr) = run(home.path(), &[], &["bundled", "--print=ansi"]);
        take_away(&path);
        assert_eq!((code, stderr.lines().count()), (0, 1), "{stderr}");
        assert_eq!(stderr.matches("x.toml").count(), 1, "{stderr}");
        // Recorded lookups may be larger than settings, but not without end.
        let path = folder.join("lookups.jsonl");
        odd(&path, what);
        let shown = path.display().to_string();
        for args in [
            ["sweep", "bundled", "--lookups", &shown],
            ["replay", "bundled", "--lookups", &shown],
            ["bundled", "--print", "--lookups", &shown],
        ] {
            let (code, _, stderr) = run(home.path(), &[], &args);
            assert_eq!((code, stderr.lines().count()), (2, 1), "{args:?}: {stderr}");
            let what = what.replace("1 MiB", "256 MiB");
            assert!(stderr.contains(&what), "{args:?}: {stderr}");
        }
        take_away(&path);
    }
}

#[test]
fn a_fault_names_its_file_once() {
    let home = home();
    let folder = home.path().join("markscope");
    fs::write(folder.join("themes/odd.toml"), "name = \"odd\"\nbad = 1\n").expect("a file");
    let file = folder.join("themes/odd.toml").display().to_string();
    for args in [
        &["bundled", "--print"][..],
        &["bundled", "--print", "--theme", &file],
        &["bundled", "--print", "--theme", "odd"],
    ] {
        let (_, _, stderr) = run(home.path(), &[], args);
        assert!(stderr.contains(&format!("{file}, line 2, bad: ")), "{stderr}");
        for line in stderr.lines() {
            assert!(line.matches("odd.toml").count() <= 1, "{stderr}");
        }
    }
}

#[test]
fn a_log_that_cannot_be_written_is_told_before_anything_else() {
    let home = home();
    for log in ["/", "/no/such/folder/log"] {
        for args in [&["bundled", "drone"][..], &["lookup", "bundled", "drone"]] {
            let args = [args, &["--log", log]].concat();
            let (code, stdout, stderr) = run(home.path(), &[], &args);
            assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
            assert!(stderr.starts_with(&format!("markscope: --log: {log} cannot be written: ")));
        }
    }
}

#[test]
fn a_tilde_in_the_settings_is_the_home_folder() {
    let home = home();
    let folder = home.path().join("markscope");
    fs::write(home.path().join("mine.toml"), "name = \"mine\"\nbad = 1\n").expect("a file");
    fs::write(home.path().join("vi.toml"), "[keys]\nwhy = [\"I\"]\n").expect("a file");
    fs::write(folder.join("config.toml"), "theme = \"~/mine.toml\"\nkeys = \"~/vi.toml\"\n")
        .expect("a file");
    let theme = home.path().join("mine.toml").display().to_string();
    let (code, _, stderr) = run(home.path(), &[], &["bundled", "--print"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains(&format!("{theme}, line 2, bad: ")), "{stderr}");
    let frame = ["bundled", "drone", "--print", "--theme", "dark"];
    let (code, stdout, stderr) = run(home.path(), &[], &frame);
    assert_eq!((code, stderr.lines().count()), (0, 0), "{stderr}");
    assert!(stdout.contains(" I why"), "{stdout}");
    let keys = home.path().join("vi.toml").display().to_string();
    let (_, stdout, _) = run(home.path(), &[], &["doctor"]);
    assert!(stdout.contains(&format!("keys          {keys}\n")), "{stdout}");
}

#[test]
fn keys_taken_unawares_are_told_by_the_doctor_and_are_no_fault() {
    let home = home();
    let file = home.path().join("markscope/keys.toml");
    fs::write(&file, "[keys]\nwhy = [\"i\", \"k\"]\n").expect("a file");
    let (code, stdout, _) = run(home.path(), &[], &["doctor"]);
    let file = file.display();
    let told =
        format!("  taken       {file}, line 2: k is why now and no longer up, which keeps ↑\n");
    assert!(stdout.contains(&told), "{stdout}");
    assert_eq!((code, stdout.contains("FAULT")), (0, false), "{stdout}");
}

#[test]
fn a_limit_of_none_is_a_fault_wherever_it_stands() {
    let home = home();
    let told = "a limit is a whole number of rows, 1 or more; without it a store gives 10";
    for value in ["0", "-1", "x", "1.5"] {
        for (variables, option) in [
            (vec![], format!("--limit={value}")),
            (vec![("MARKSCOPE_LIMIT", value)], "--verbose".to_owned()),
        ] {
            for args in [vec!["lookup", "bundled", "drone"], vec!["bundled", "drone", "--print"]] {
                let args = [args, vec![&option]].concat();
                let (code, stdout, stderr) = run(home.path(), &variables, &args);
                assert_eq!((code, stdout.as_str()), (2, ""), "{args:?} {variables:?}");
                assert!(stderr.contains(told), "{stderr}");
            }
        }
    }
}

#[test]
fn what_a_fault_quotes_does_not_drive_the_terminal() {
    let home = home();
    let odd = "\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\u{202e}";
    let shown = "␛]0;x␇␛[31m⟦U+009B⟧2J⟦U+202E⟧";
    for args in [
        vec!["lookup".to_owned(), "bundled".into(), "x".into(), format!("--limit={odd}")],
        vec!["lookup".to_owned(), "bundled".into(), "x".into(), format!("--engine={odd}")],
        vec![format!("--{odd}")],
        vec!["lookup".to_owned(), "bundled".into(), "x".into(), odd.to_owned()],
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        for variables in [&[][..], &[("CLICOLOR_FORCE", "1")]] {
            let (code, stdout, stderr) = run(home.path(), variables, &args);
            assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
            assert!(stderr.contains(shown), "{args:?}: {stderr:?}");
            let drives = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!stderr.contains(drives), "{args:?}: {stderr:?}");
        }
    }
    let variables = [("MARKSCOPE_ENGINE", odd)];
    let (code, _, stderr) = run(home.path(), &variables, &["lookup", "bundled", "x"]);
    assert_eq!(code, 2);
    assert!(stderr.contains(shown) && !stderr.contains('\u{1b}'), "{stderr:?}");
}
