//! Settings, themes, keys and pictures from outside.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command, with nothing of the machine's but a folder of settings.
fn run_with(home: &Path, variables: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .env_clear()
        .env("TERM", "xterm")
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home)
        .envs(variables.iter().copied())
        .args(args);
    command.output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A folder of settings with files in it.
fn home(files: &[(&str, &str)]) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = home.path().join("markscope").join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    home
}

#[cfg(unix)]
#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let home = home(&[("config.toml", "budget = 800\nengine = \"rows\"\nmatch = \"body\"\n")]);
    let budget = |variables: &[(&str, &str)], args: &[&str]| {
        let args = [&["lookup", "bundled", "sludge", "--format", "json"], args].concat();
        let output = run_with(home.path(), variables, &args);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let request = &json["request"];
        (request["budget"].as_u64(), request["engine"].as_str().map(str::to_owned))
    };
    let rows = Some("rows".to_owned());
    let variable = [("MARKSCOPE_BUDGET", "900")];
    assert_eq!(budget(&[], &[]), (Some(800), rows.clone()));
    assert_eq!(budget(&variable, &[]), (Some(900), rows.clone()));
    assert_eq!(budget(&variable, &["--budget", "1000"]), (Some(1000), rows));
    let built_in = Some("selection".to_owned());
    assert_eq!(budget(&[], &["--no-config"]), (Some(1500), built_in));
    let frame = stdout(&run_with(home.path(), &[], &["bundled", "sludge", "--print"]));
    assert!(frame.contains("of 800 tokens") && frame.contains("match body"), "{frame}");
}

#[cfg(unix)]
#[test]
fn faulty_files_are_one_sentence_and_stop_nothing_else() {
    let files = [("config.toml", "\nbugdet = 1\n"), ("keys.toml", "[keys]\nwhyy = [\"x\"]\n")];
    let broken = home(&files);
    for args in [vec!["lookup", "bundled", "sludge"], vec!["bundled", "sludge", "--print"]] {
        let output = run_with(broken.path(), &[], &args);
        let file = broken.path().join("markscope/config.toml");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(
            stderr(&output),
            format!(
                "markscope: {}, line 2, bugdet: there is no such setting; there is `budget`\n",
                file.display()
            )
        );
        let args = [args, vec!["--no-config"]].concat();
        assert_eq!(run_with(broken.path(), &[], &args).status.code(), Some(0), "{args:?}");
    }
    for args in [vec!["config"], vec!["completions", "zsh"], vec!["man"], vec!["--version"]] {
        assert_eq!(run_with(broken.path(), &[], &args).status.code(), Some(0), "{args:?}");
    }
    let doctor = run_with(broken.path(), &[], &["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(stdout(&doctor).contains("FAULT: "), "{}", stdout(&doctor));
    let keys = home(&files[1..]);
    let output = run_with(keys.path(), &[], &["bundled", "sludge", "--print"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).ends_with("line 2, whyy: there is no such action; there is `why`\n"),
        "{}",
        stderr(&output)
    );
    let args = ["bundled", "--print", "--keys", "no.toml"];
    let output = run_with(keys.path(), &[], &args);
    assert_eq!(
        stderr(&output),
        "markscope: --keys: there is no file no.toml; give a file of keys\n"
    );
}

#[cfg(unix)]
#[test]
fn keys_of_ones_own_stand_in_the_hints() {
    let home = home(&[("keys.toml", "[keys]\nquit = [\"x\"]\n")]);
    let frame = stdout(&run_with(home.path(), &[], &["bundled", "sludge", "--print"]));
    assert!(frame.lines().last().is_some_and(|line| line.contains("x quit")), "{frame}");
}

#[cfg(unix)]
#[test]
fn themes_of_ones_own_are_found_by_name_and_by_file() {
    let mine = "name = \"mine\"\nextends = \"dark\"\nbackground = \"#010203\"\n";
    let home = home(&[
        ("themes/mine.toml", mine),
        ("themes/bad.toml", "name = \"bad\"\nextends = \"dark\"\nbackground = \"no\"\n"),
    ]);
    let picture = |variables: &[(&str, &str)], theme: &[&str]| {
        let args = [&["bundled", "--print=svg"], theme].concat();
        run_with(home.path(), variables, &args)
    };
    let file = home.path().join("markscope/themes/mine.toml");
    let file = file.to_str().expect("a path");
    for output in [
        picture(&[], &["--theme", "mine"]),
        picture(&[], &["--theme", file]),
        picture(&[("MARKSCOPE_THEME", "mine")], &[]),
    ] {
        assert!(stdout(&output).contains("rx=\"8\" fill=\"#010203\""), "{}", stderr(&output));
        let told = stderr(&output);
        assert!(
            told.contains("the theme is left out: ") && told.contains("/bad.toml, line 3, "),
            "{told}"
        );
    }
    let bad = picture(&[], &["--theme", "bad"]);
    assert_eq!(bad.status.code(), Some(2));
    let told = stderr(&bad);
    assert!(told.contains("bad.toml, line 3, background: \"no\" is no colour"), "{told}");
    assert_eq!(told.lines().count(), 1);
    let near = picture(&[], &["--theme", "mien"]);
    assert_eq!(stderr(&near), "markscope: --theme: there is no theme mien; there is mine\n");
    let none = picture(&[], &["--theme", "./none.toml"]);
    assert_eq!(stderr(&none), "markscope: --theme: there is no file ./none.toml\n");
}

#[test]
fn colours_are_asked_for_or_not() {
    let home = home(&[]);
    let has_colour = |variables: &[(&str, &str)], args: &[&str]| {
        let args = [&["bundled", "sludge", "--print=ansi"], args].concat();
        let out = stdout(&run_with(home.path(), variables, &args));
        assert!(out.contains("\x1b[0;1m"), "bold stays");
        let sequences = out.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m'));
        let mut numbers = sequences.flat_map(|(sequence, _)| sequence.split(';'));
        numbers.any(|number| number.parse::<u8>().is_ok_and(|number| number >= 30))
    };
    assert!(has_colour(&[], &[]));
    assert!(!has_colour(&[("NO_COLOR", "1")], &[]));
    assert!(!has_colour(&[("TERM", "dumb")], &[]));
    assert!(!has_colour(&[], &["--color", "never"]));
    assert!(has_colour(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(has_colour(&[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")], &[]));
    assert!(!has_colour(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], &[]));
}

#[test]
fn ascii_is_ascii() {
    let home = home(&[]);
    let world = home.path().join("world");
    fs::create_dir_all(&world).expect("a folder");
    let text =
        "---\ntags: [genre]\n---\n# Drone\n\n- one\n\n> two\n\n| a | b |\n|---|---|\n| c | d |\n";
    fs::write(world.join("a.md"), text).expect("a file");
    let world = world.to_str().expect("a path");
    for query in [&[][..], &["drone"], &["a"], &["nothing"]] {
        let args = [&[world], query, &["--print", "--ascii", "--match", "body"]].concat();
        let out = stdout(&run_with(home.path(), &[], &args));
        assert!(out.is_ascii() && out.lines().count() == 40, "{out}");
    }
}

#[test]
fn everything_is_told_in_plain_sentences() {
    let home = home(&[]);
    let args = ["bundled", "stoner rock", "--match", "body", "--plain"];
    let output = run_with(home.path(), &[], &args);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    let head: Vec<&str> = text.lines().take(8).collect();
    assert_eq!(
        head,
        [
            "World: music",
            "Query: stoner rock",
            "Match: body. Scope: /. Filter: none. Engine: selection.",
            "Status: ok",
            "Budget: 1500 tokens, 6000 bytes. Spent: 1448 tokens, 5794 bytes. 52 tokens left.",
            "Spent on: envelope 8 tokens, table 174 tokens, blocks 1024 tokens, relation lines 171 tokens, notes 71 tokens.",
            "Next change upward: at 1522 tokens, /bands/blue-oyster-cult.md/v3#blue-öyster-cult fits.",
            "Next change downward: at 1377 tokens, the relation line of /genres/blues-rock.md no longer fits.",
        ]
    );
    for line in [
        "Row 3 of 3: /genres/doom-metal.md#doom-metal. Title: Doom metal › Doom metal. Importance: 0.97. Tags: genre, doom, metal, slow, tuning. Outcome: did not fit: 2374 needed, 722 left, 1652 tokens short.",
        "Relation 4 of 6: influenced-by /bands/blue-oyster-cult.md. Outcome: did not fit: 144 needed, 122 left, 22 tokens short.",
        "Piece 1 of 10: block of /genres/stoner-rock.md/v4#stoner-rock, 363 tokens, 1453 bytes.",
        "Documents that point to /genres/stoner-rock.md: 5. No reader sees them.",
        "Pointer 3 of 5: /genres/doom-metal.md declares related.",
        "Outline of /genres/stoner-rock.md/v4: 5 sections.",
        "Section 2 of 5: The desert, level 2, #the-desert, 97 tokens: the reader has all of it.",
        "What each budget buys: 47 steps, this is step 25.",
        "Step 1 of 47: from 0 tokens on, 182 tokens spent, 0 rows expanded, 0 related. The table alone.",
        "Step 19 of 47: from 1222 tokens on, 1289 tokens spent, 2 rows expanded, 2 related. Enters: block /bands/blue-oyster-cult.md/v3#blue-öyster-cult.",
        "Findings in the documents of this result: 0 of 3.",
        "Left out 1 of 5: block /genres/doom-metal.md/v14#doom-metal. Outcome: did not fit: 2374 needed, 722 left, 1652 tokens short. Enters at a budget of 3152 tokens, would push out block /genres/psychedelic-rock.md/v5#psychedelic-rock, relation line /genres/psychedelic-rock.md, block /genres/blues-rock.md/v3#blues-rock, relation line /genres/blues-rock.md.",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\nis not in\n{text}");
    }
    assert!(!text.contains(['─', '│', '█', '●', '\u{1b}']), "nothing is drawn");
    // What is said to enter at a budget does, and not below it.
    for (budget, is_in) in [("3152", true), ("3151", false)] {
        let args = [&args[..], &["--budget", budget]].concat();
        let text = stdout(&run_with(home.path(), &[], &args));
        let piece = "block of /genres/doom-metal.md/v14#doom-metal";
        assert_eq!(text.contains(piece), is_in, "{budget}");
    }
    let over = [&args[..], &["--budget", "230"]].concat();
    let over = stdout(&run_with(home.path(), &[], &over));
    assert!(over.contains(" tokens, ") && over.contains(". Overdrawn by "), "{over}");
    assert!(!over.contains("did not fit: its relation line did not fit"), "{over}");
    let none = run_with(home.path(), &[], &["bundled", "zzz-nothing", "--plain"]);
    assert_eq!(none.status.code(), Some(1));
    let refused = run_with(home.path(), &[], &["bundled", "a", "--plain"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stdout(&refused).ends_with("The store refused: query must be at least 2 characters\n"));
}

#[test]
fn the_program_tells_about_itself() {
    let home = home(&[]);
    let doctor = run_with(home.path(), &[("DEMARKUS_AUTH", "s3cret-token")], &["doctor"]);
    let text = stdout(&doctor);
    assert_eq!(doctor.status.code(), Some(0), "{text}");
    assert!(text.contains("DEMARKUS_AUTH: present"), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run_with(home.path(), &[], &["completions", shell]);
        let text = stdout(&output);
        assert!(text.contains("doctor") && text.contains("theme"), "{shell}");
    }
    let man = stdout(&run_with(home.path(), &[], &["man"]));
    assert!(man.contains(".TH markscope 1") && man.contains("\\-\\-budget"), "{man}");
    let man = stdout(&run_with(home.path(), &[], &["man", "lookup"]));
    assert!(man.contains(".TH markscope-lookup 1"), "{man}");
    let pages = home.path().join("pages");
    let args = ["man", "--dir", pages.to_str().expect("a path")];
    assert_eq!(run_with(home.path(), &[], &args).status.code(), Some(0));
    for page in ["markscope.1", "markscope-lookup.1", "markscope-doctor.1"] {
        assert!(pages.join(page).exists(), "{page}");
    }
    let none = run_with(home.path(), &[], &["man", "nope"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn a_log_is_written_where_it_is_asked_for() {
    let home = home(&[]);
    let file = home.path().join("markscope.log");
    let log = file.to_str().expect("a path");
    let token = [("DEMARKUS_AUTH", "s3cret-token")];
    for _ in 0..2 {
        let output = run_with(home.path(), &token, &["lookup", "bundled", "sludge", "--log", log]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
    }
    let text = fs::read_to_string(&file).expect("the log");
    let told: Vec<String> = text
        .lines()
        .map(|line| {
            let (time, words) = line.split_once(' ').expect("a time");
            assert!(time.ends_with('Z'), "{line}");
            // Without the numbers of this run.
            words.split(' ').filter(|word| !word.contains('.')).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let once = [
        "markscope starts",
        "opening of bundled: 89 documents, 0 problems, ms",
        "lookup of \"sludge\" in music: ok, 9 rows, ms",
        "ends with 0 after ms",
    ];
    assert_eq!(told, [once, once].concat());
    assert!(!text.contains("s3cret"));
    let args = ["lookup", "bundled", "sludge", "--log", "/nowhere/at/all.log"];
    let output = run_with(home.path(), &[], &args);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("markscope: --log: /nowhere/at/all.log cannot be"));
}

#[cfg(unix)]
#[test]
fn a_theme_that_is_not_there_is_told_with_where_it_is_named() {
    let home = home(&[("config.toml", "budget = 800\ntheme = \"drak\"\n")]);
    let file = home.path().join("markscope/config.toml");
    let told = |variables: &[(&str, &str)], args: &[&str]| {
        let args = [&["bundled", "--print"], args].concat();
        let output = run_with(home.path(), variables, &args);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let fault =
        |named: &str| format!("markscope: {named}: there is no theme drak; there is dark\n");
    assert_eq!(told(&[], &[]), fault(&format!("{}, line 2, theme", file.display())));
    let variable = [("MARKSCOPE_THEME", "drak")];
    assert_eq!(told(&variable, &[]), fault("MARKSCOPE_THEME"));
    assert_eq!(told(&variable, &["--theme", "drak"]), fault("--theme"));
    assert_eq!(
        told(&[], &["--theme", "./no.toml"]),
        "markscope: --theme: there is no file ./no.toml\n"
    );
}

#[cfg(unix)]
#[test]
fn settings_are_written_once_where_they_are_looked_for() {
    let home = tempfile::tempdir().expect("a folder");
    for (args, file) in [
        (vec!["config"], "config.toml"),
        (vec!["config", "--keys"], "keys.toml"),
        (vec!["config", "--theme", "dark"], "themes/dark.toml"),
    ] {
        let path = home.path().join("markscope").join(file);
        let printed = stdout(&run_with(home.path(), &[], &args));
        assert!(!path.exists(), "{args:?}");
        let args = [args, vec!["--write"]].concat();
        let output = run_with(home.path(), &[], &args);
        assert_eq!(stdout(&output), format!("{}\n", path.display()));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert_eq!(fs::read_to_string(&path).expect("a file"), printed, "{args:?}");
        fs::write(&path, "# mine\n").expect("a file");
        let output = run_with(home.path(), &[], &args);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            stderr(&output),
            format!(
                "markscope: {} is there already and stays as it is; `markscope config` without \
                 --write prints what is built in\n",
                path.display()
            )
        );
        assert_eq!(fs::read_to_string(&path).expect("a file"), "# mine\n");
    }
    assert_eq!(run_with(home.path(), &[], &["config", "--path", "--write"]).status.code(), Some(2));
}

/// Figures that depend on the budget, of a command over two recorded lookups.
#[cfg(unix)]
fn budgets(home: &Path, variables: &[(&str, &str)], args: &[&str]) -> Vec<u64> {
    let output = run_with(home, variables, args);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{args:?}: {}", stderr(&output)));
    let entries = json["entries"].as_array().or_else(|| json["results"].as_array());
    entries.expect("entries").iter().map(|it| it["budget"].as_u64().expect("a budget")).collect()
}

#[cfg(unix)]
#[test]
fn recorded_budgets_win_over_the_settings() {
    let lookups = "{\"query\":\"sludge\",\"budget\":400}\n{\"query\":\"drone\"}\n";
    let home = home(&[
        ("config.toml", "budget = 1200\n"),
        ("lookups.jsonl", lookups),
        ("other/a.md", "# Sludge\n\nSludge and drone.\n"),
    ]);
    let folder = home.path().join("markscope");
    let file = folder.join("lookups.jsonl").display().to_string();
    let other = folder.join("other").display().to_string();
    let variable = [("MARKSCOPE_BUDGET", "900")];
    let replay = vec!["replay", "bundled", "--lookups", &file, "--format", "json"];
    let diff = vec!["diff", "bundled", &other, "--lookups", &file, "--format", "json"];
    // A preview differs from a diff in how it names its worlds.
    let preview = vec!["preview", "bundled", &other, "--lookups", &file, "--format", "json"];
    for args in [replay, diff, preview] {
        let budgets = |variables: &[(&str, &str)], more: &[&str]| {
            budgets(home.path(), variables, &[args.as_slice(), more].concat())
        };
        assert_eq!(budgets(&[], &[]), [400, 1200], "{args:?}");
        assert_eq!(budgets(&variable, &[]), [400, 900], "{args:?}");
        assert_eq!(budgets(&[], &["--no-config"]), [400, 1500], "{args:?}");
        assert_eq!(budgets(&variable, &["--budget", "700"]), [700, 700], "{args:?}");
    }
    // These have no budget of their own, and the setting changes nothing of the curve.
    let sweep = ["sweep", "bundled", "--lookups", &file, "--format", "json"];
    let swept = |more: &[&str]| run_with(home.path(), &[], &[&sweep, more].concat()).stdout;
    assert_eq!(swept(&[]), swept(&["--no-config"]));
    let frame = ["bundled", "sludge", "--lookups", &file, "--print"];
    let shown = |more: &[&str]| stdout(&run_with(home.path(), &[], &[&frame, more].concat()));
    assert_eq!(shown(&[]), shown(&["--no-config", "--budget", "1200"]));
}

#[cfg(unix)]
#[test]
fn options_may_stand_ahead_of_the_command() {
    let home = home(&[("lookups.jsonl", "{\"query\":\"sludge\",\"budget\":400}\n")]);
    let file = home.path().join("markscope/lookups.jsonl").display().to_string();
    let log = home.path().join("log.txt").display().to_string();
    let both = |ahead: &[&str], behind: &[&str]| {
        let ahead = run_with(home.path(), &[], &[ahead, behind].concat());
        (ahead.status.code(), stdout(&ahead), stderr(&ahead))
    };
    for behind in [
        vec!["replay", "bundled", "--lookups", &file],
        vec!["check", "bundled"],
        vec!["diff", "bundled", "bundled"],
        vec!["lookup", "bundled", "sludge"],
        vec!["config"],
    ] {
        let plain = both(&[], &behind);
        assert!(plain.0 == Some(0) || behind[0] == "check", "{behind:?} {plain:?}");
        assert_eq!(both(&["--no-config"], &behind), plain);
        assert_eq!(both(&["--log", &log, "--no-config"], &behind), plain);
    }
    let never = both(&["--color", "never"], &["check", "bundled"]);
    assert_eq!(never, both(&[], &["check", "bundled", "--color", "never"]));
    let (code, _, told) = both(&["--limit", "3"], &["check", "bundled"]);
    assert_eq!(code, Some(2));
    assert!(told.starts_with("error: unexpected argument '--limit' found"), "{told}");
}
