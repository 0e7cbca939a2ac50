//! The explorer on a real pseudo-terminal: what reaches the terminal, and how the
//! terminal is left. Nothing sleeps and hopes: every step waits for the screen.
#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a step may take; a slow machine sets MARKSCOPE_TEST_SECONDS.
fn patience() -> Duration {
    let seconds = std::env::var("MARKSCOPE_TEST_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(30))
}

fn nonzero(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("a size above zero")
}

struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
}

struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    seen: Arc<Mutex<Seen>>,
    reader: Option<JoinHandle<()>>,
}

impl Terminal {
    fn start(command: CommandBuilder, (columns, rows): (u16, u16)) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let seen = Arc::new(Mutex::new(Seen {
            parser: vt100::Parser::new(nonzero(rows), nonzero(columns), 0),
            raw: Vec::new(),
        }));
        let mut output = pair.master.try_clone_reader().expect("a reader");
        let shared = Arc::clone(&seen);
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end of the program ends the reading with an error on Linux.
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                let mut seen = shared.lock().expect("no reader panics");
                seen.raw.extend_from_slice(&buffer[..count]);
                seen.parser.process(&buffer[..count]);
            }
        });
        let keys = pair.master.take_writer().expect("a writer");
        Self { master: pair.master, child, keys, seen, reader: Some(reader) }
    }

    fn markscope(args: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_markscope"));
        command.args(args);
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("XDG_CONFIG_HOME", "/nowhere");
        command.env("XDG_STATE_HOME", "/nowhere");
        for (name, value) in variables {
            command.env(name, value);
        }
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        Self::start(command, size)
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the program reads");
        self.keys.flush().expect("the program reads");
    }

    fn resize(&mut self, (columns, rows): (u16, u16)) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.seen
            .lock()
            .expect("no reader panics")
            .parser
            .screen_mut()
            .set_size(nonzero(rows), nonzero(columns));
        self.master.resize(size).expect("a size");
    }

    fn screen(&self) -> vt100::Screen {
        self.seen.lock().expect("no reader panics").parser.screen().clone()
    }

    #[track_caller]
    fn wait(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let end = Instant::now() + patience();
        while !holds(&self.screen()) {
            assert!(
                Instant::now() < end,
                "waited in vain for {what}; the screen:\n{}",
                self.screen().contents()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Waits until the terminal is asked for its ground.
    #[track_caller]
    fn wait_for_question(&self) {
        self.wait("the question", |_| {
            let seen = self.seen.lock().expect("no reader panics");
            seen.raw
                .windows(7)
                .any(|window| window == b"\x1b]11;?\x1b" || window == b"\x1b]11;?\x07")
        });
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().expect("it runs").to_string();
        let done = std::process::Command::new("kill").args(["-s", name, &id]).status();
        assert!(done.expect("kill runs").success());
    }

    /// Waits for the end: the exit code, and the screen and all bytes after it.
    #[track_caller]
    fn end(mut self) -> (u32, vt100::Screen, Vec<u8>) {
        let end = Instant::now() + patience();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            if Instant::now() >= end {
                let _ = self.child.kill();
                panic!("it does not end; the screen:\n{}", self.screen().contents());
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        drop(self.keys);
        drop(self.master);
        if let Some(reader) = self.reader.take() {
            reader.join().expect("no reader panics");
        }
        let seen = self.seen.lock().expect("no reader panics");
        (status.exit_code(), seen.parser.screen().clone(), seen.raw.clone())
    }
}

/// The terminal is as it was: the normal screen, a cursor, no mode left on.
#[track_caller]
fn restored(screen: &vt100::Screen, raw: &[u8]) {
    assert!(!screen.alternate_screen(), "still on the alternate screen");
    assert!(!screen.hide_cursor(), "the cursor is still hidden");
    assert!(!screen.bracketed_paste(), "bracketed paste is still on");
    let last = |on: &[u8]| raw.windows(on.len()).rposition(|window| window == on);
    assert!(last(b"\x1b[?1049l") > last(b"\x1b[?1049h"), "left before it was entered");
}

#[test]
fn a_question_a_budget_and_out() {
    let mut terminal = Terminal::markscope(&[], &[], (120, 40));
    terminal.wait_for("What a reader gets");
    terminal.press("/");
    terminal.press("stoner rock\r");
    terminal.wait_for("of 1,500 tokens");
    terminal.press("\x1b[C");
    terminal.wait_for("of 1,550 tokens");
    terminal.press("[");
    terminal.wait("a breakpoint below", |screen| {
        let text = screen.contents();
        text.contains("tokens") && !text.contains("of 1,550 tokens")
    });
    terminal.press("?");
    terminal.wait_for("to the breakpoint above");
    terminal.press("q");
    terminal.wait("the panes again", |screen| !screen.contents().contains("to the breakpoint"));
    terminal.press("q");
    let (code, screen, raw) = terminal.end();
    assert_eq!(code, 0);
    restored(&screen, &raw);
}

#[test]
fn every_size_on_the_way() {
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (80, 24));
    terminal.wait_for("of 1,500 tokens");
    for size in [(200, 60), (40, 10), (1, 1), (120, 40), (300, 5), (80, 24)] {
        terminal.resize(size);
    }
    terminal.wait_for("of 1,500 tokens");
    terminal.resize((60, 12));
    terminal.wait_for("needs 60x16");
    terminal.press("q");
    let (code, screen, raw) = terminal.end();
    assert_eq!(code, 0);
    restored(&screen, &raw);
}

#[test]
fn without_colour_the_selected_row_is_still_reversed() {
    let mut terminal = Terminal::markscope(
        &["bundled", "drone", "--match", "body"],
        &[("NO_COLOR", "1"), ("COLORTERM", "truecolor")],
        (120, 40),
    );
    terminal.wait_for("▸ ● printed");
    terminal.wait("a reversed row", |screen| {
        let (rows, columns) = screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        (0..rows).any(|row| {
            let reversed =
                (0..columns).filter_map(|column| screen.cell(row, column)).filter(|c| c.inverse());
            reversed.count() > 10
        })
    });
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    for row in 0..rows {
        for cell in (0..columns).filter_map(|column| screen.cell(row, column)) {
            assert_eq!(cell.fgcolor(), vt100::Color::Default);
            assert_eq!(cell.bgcolor(), vt100::Color::Default);
        }
    }
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn signals_leave_the_terminal_as_it_was() {
    for (name, code) in [("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131)] {
        let terminal = Terminal::markscope(&["bundled", "drone"], &[], (120, 40));
        terminal.wait_for("of 1,500 tokens");
        terminal.signal(name);
        let (ended, screen, raw) = terminal.end();
        assert_eq!(ended, code, "{name}");
        restored(&screen, &raw);
    }
}

#[test]
fn a_terminal_that_is_gone_is_no_panic() {
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (120, 40));
    terminal.wait_for("of 1,500 tokens");
    drop(terminal.keys);
    drop(terminal.master);
    // The reader holds the last handle of the terminal; a hang-up comes as well.
    let id = terminal.child.process_id().expect("it runs").to_string();
    let _ = std::process::Command::new("kill").args(["-s", "HUP", &id]).status();
    let end = Instant::now() + patience();
    let code = loop {
        if let Some(status) = terminal.child.try_wait().expect("a child") {
            break status.exit_code();
        }
        assert!(Instant::now() < end, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_ne!(code, 101, "a panic");
}

/// A line that is measured again for every row of the reader's view took minutes.
#[test]
fn a_long_line_does_not_hold_the_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("---\ntitle: {}\n---\n# drone\n", "x".repeat(200_000));
    std::fs::write(folder.path().join("long.md"), text).expect("a file");
    let world = folder.path().to_str().expect("a path");
    let args = [world, "drone", "--match", "body", "--budget", "100000"];
    let mut terminal = Terminal::markscope(&args, &[], (120, 40));
    terminal.wait_for("of 100,000 tokens");
    terminal.press("r");
    terminal.wait_for("the reader's text");
    terminal.press("\x03");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn suspended_and_back() {
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (120, 40));
    terminal.wait_for("of 1,500 tokens");
    terminal.press("\x1a");
    terminal.wait("the normal screen", |screen| !screen.alternate_screen());
    terminal.signal("CONT");
    terminal.wait("the explorer again", |screen| {
        screen.alternate_screen() && screen.contents().contains("of 1,500 tokens")
    });
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

/// The text comes from stdin, and the keys from the terminal.
#[test]
fn a_result_from_stdin_is_explored() {
    let mut command = CommandBuilder::new("sh");
    let program = env!("CARGO_BIN_EXE_markscope");
    let piped = format!("'{program}' view - < examples/results/stoner-rock.txt");
    command.args(["-c", &piped]);
    command.env("TERM", "xterm-256color");
    command.env("XDG_CONFIG_HOME", "/nowhere");
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    let mut terminal = Terminal::start(command, (120, 40));
    terminal.wait("a recorded result", |screen| {
        screen.alternate_screen() && screen.contents().contains("stoner")
    });
    terminal.press("?");
    terminal.wait_for("these keys");
    terminal.press("q");
    terminal.wait("the panes again", |screen| !screen.contents().contains("these keys"));
    terminal.press("q");
    let (code, screen, raw) = terminal.end();
    assert_eq!(code, 0);
    restored(&screen, &raw);
}

#[test]
fn control_l_draws_the_screen_anew() {
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (120, 40));
    terminal.wait_for("of 1,500 tokens");
    // Something else has written over it.
    terminal.seen.lock().expect("no reader panics").parser.process(b"\x1b[H\x1b[2J");
    assert!(!terminal.screen().contents().contains("of 1,500 tokens"));
    terminal.press("\x0c");
    terminal.wait_for("of 1,500 tokens");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_world_that_is_not_there() {
    let mut terminal = Terminal::markscope(&["no/such/world", "drone"], &[], (100, 30));
    terminal.wait_for("a world is a folder");
    terminal.press("q");
    let (code, screen, raw) = terminal.end();
    assert_eq!(code, 3);
    restored(&screen, &raw);
    assert!(screen.contents().contains("no/such/world"), "and it is said after the end too");
}

#[test]
fn a_dumb_terminal_is_refused_in_one_sentence() {
    let terminal = Terminal::markscope(&["bundled"], &[("TERM", "dumb")], (100, 30));
    let (code, screen, raw) = terminal.end();
    assert_eq!(code, 2);
    assert!(screen.contents().contains("--print"));
    assert!(!raw.contains(&0x1b), "no escape at all");
}

#[test]
fn documents_do_not_drive_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let evil =
        "\x1b]52;c;ZWNobyBo\x07 \x1b[2J \u{9b}31m \x07 \r &#27;[31m \u{202e} \u{2066} \u{200b}";
    let body = format!(
        "---\ntags: [evil]\n---\n# Evil {evil}\n\n{evil}\n\n## Two {evil}\n\n```sh\n{evil}\n```\n\n> {evil}\n\n| a | {evil} |\n|---|---|\n| b | {evil} |\n"
    );
    std::fs::write(folder.path().join("evil.md"), body).expect("a file");
    let name = folder.path().join(Path::new("x\u{1b}]0;pwn\u{7}.md"));
    std::fs::write(name, "# Evil name\n\nevil\n").expect("a file");
    let world = folder.path().to_str().expect("a path");
    let mut terminal = Terminal::markscope(
        // A theme that is asked for needs no question about the terminal's ground.
        &[world, "evil", "--match", "body", "--theme", "terminal"],
        &[],
        (120, 40),
    );
    terminal.wait_for("of 1,500 tokens");
    // Every pane and every popup once.
    for keys in ["w", "\x1b", "r", "\x1b", "2", "3", "4", "1", "G", "g", "?", "\x1b"] {
        terminal.press(keys);
    }
    terminal.press("/");
    terminal.press("\x1b[200~evil\nq\u{7}\x1b]0;x\u{7}\x1b[201~");
    terminal.wait_for("q");
    terminal.press("\x1b\x1bq");
    terminal.press("\x03");
    let (_, screen, raw) = terminal.end();
    restored(&screen, &raw);
    let text = String::from_utf8_lossy(&raw);
    for bad in ["\x1b]", "\x1b[2J ", "\u{7}", "\u{9b}", "\u{202e}", "\u{2066}", "\u{200b}"] {
        assert!(!text.contains(bad), "{bad:?} reached the terminal");
    }
    assert!(text.contains('␛'), "what was there is shown");
}

/// Not a test by itself: what the next one runs on a terminal.
#[test]
fn panicking_child() {
    if std::env::var_os("MARKSCOPE_TEST_PANIC").is_none() {
        return;
    }
    let opening: markscope::tui::Opening = std::sync::Arc::new(|_| panic!("as the test wants it"));
    let ended = markscope::tui::run(opening, markscope::tui::Options::new("world"));
    assert!(ended.is_ok(), "{ended:?}");
}

#[test]
fn a_panic_leaves_the_terminal_as_it_was() {
    let this = std::env::current_exe().expect("this test");
    let mut command = CommandBuilder::new(this);
    command.args(["--exact", "panicking_child", "--nocapture"]);
    command.env("MARKSCOPE_TEST_PANIC", "1");
    command.env("TERM", "xterm-256color");
    command.env("RUST_BACKTRACE", "0");
    let terminal = Terminal::start(command, (100, 30));
    let (code, screen, raw) = terminal.end();
    assert_ne!(code, 0, "a panic is no success");
    restored(&screen, &raw);
    assert!(String::from_utf8_lossy(&raw).contains("as the test wants it"), "and it is told");
}

/// The ground of a cell where nothing stands out.
fn ground(screen: &vt100::Screen) -> vt100::Color {
    screen.cell(1, 110).expect("a cell").bgcolor()
}

#[test]
fn the_theme_fits_the_ground_that_the_terminal_tells() {
    for (answer, want) in [
        ("rgb:fdfd/f6f6/e3e3", vt100::Color::Rgb(0xfb, 0xfa, 0xf7)),
        ("rgb:0000/2b2b/3636", vt100::Color::Rgb(0x16, 0x18, 0x1e)),
    ] {
        let all = [("COLORTERM", "truecolor")];
        let mut terminal = Terminal::markscope(&["bundled", "drone"], &all, (120, 40));
        terminal.wait_for_question();
        terminal.press(&format!("\x1b]11;{answer}\x1b\\\x1b[?62;22c"));
        terminal.wait_for("of 1,500 tokens");
        terminal.wait("the theme", |screen| ground(screen) == want);
        terminal.press("q");
        let (code, screen, raw) = terminal.end();
        assert_eq!(code, 0);
        restored(&screen, &raw);
    }
}

#[test]
fn an_answer_that_comes_too_late_is_no_typing() {
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (120, 40));
    terminal.wait_for("of 1,500 tokens");
    terminal.wait("the terminal's own ground", |screen| ground(screen) == vt100::Color::Default);
    terminal.press("/");
    terminal.wait_for("Enter asks");
    terminal.press("\x1b]11;rgb:1616/1818/1e1e\x1b\\\x1b[?62;22c");
    terminal.press("\x1b[C metal");
    terminal.wait_for("▏drone metal");
    terminal.press("\x03\x03");
    let _ = terminal.end();
}

#[test]
fn a_ground_in_the_environment_needs_no_question() {
    let variables = [("COLORTERM", "truecolor"), ("COLORFGBG", "0;15")];
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &variables, (120, 40));
    terminal.wait_for("of 1,500 tokens");
    assert_eq!(ground(&terminal.screen()), vt100::Color::Rgb(0xfb, 0xfa, 0xf7));
    terminal.press("q");
    let (_, _, raw) = terminal.end();
    assert!(!raw.windows(2).any(|window| window == b"\x1b]"), "nothing was asked");
}

#[test]
fn a_saved_document_is_on_the_screen_and_the_editor_opens_at_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = folder.path().join("world");
    std::fs::create_dir(&world).expect("a folder");
    let file = world.join("stone.md");
    let text = "---\ntitle: Stone\n---\n# Stone\n\n## Colour\n\nIt is grey.\n";
    std::fs::write(&file, text).expect("a file");
    // An editor that writes down what it was asked for, and changes the file.
    let editor = folder.path().join("vi");
    let asked = folder.path().join("asked");
    let script = format!(
        "#!/bin/sh\necho \"$@\" > '{}'\nprintf 'It was edited.\\n' >> '{}'\n",
        asked.display(),
        file.display()
    );
    std::fs::write(&editor, script).expect("a script");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&editor, mode).expect("a program");
    let variables = [("EDITOR", editor.to_str().expect("a path")), ("PATH", "/usr/bin:/bin")];
    let name = world.to_str().expect("a path");
    let mut terminal = Terminal::markscope(&[name, "stone"], &variables, (120, 40));
    terminal.wait_for("It is grey.");
    std::fs::write(&file, text.replace("grey", "red")).expect("a file");
    terminal.wait_for("It is red.");
    terminal.wait_for("changed: /stone.md");
    terminal.press("e");
    terminal.wait_for("It was edited.");
    let asked = std::fs::read_to_string(asked).expect("the editor was asked");
    assert_eq!(asked.trim_end(), format!("+4 {name}/stone.md"));
    // The keys are the explorer's again.
    terminal.press("?");
    terminal.wait_for("type a query");
    terminal.press("qq");
    assert_eq!(terminal.end().0, 0);
}

/// Who stops the editor stops what started it: else the shell would wait for both.
#[cfg(target_os = "linux")]
#[test]
fn a_stop_in_the_editor_stops_the_explorer_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = folder.path().join("world");
    std::fs::create_dir(&world).expect("a folder");
    std::fs::write(world.join("stone.md"), "# Stone\n\nIt is grey.\n").expect("a file");
    let editor = folder.path().join("vi");
    std::fs::write(&editor, "#!/bin/sh\necho editing now\nread line\n").expect("a script");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&editor, mode).expect("a program");
    let variables = [("EDITOR", editor.to_str().expect("a path")), ("PATH", "/usr/bin:/bin")];
    let name = world.to_str().expect("a path");
    let mut terminal = Terminal::markscope(&[name, "stone"], &variables, (120, 40));
    terminal.wait_for("It is grey.");
    terminal.press("e");
    terminal.wait_for("editing now");
    let stat = format!("/proc/{}/stat", terminal.child.process_id().expect("a process"));
    let is_stopped = || {
        let stat = std::fs::read_to_string(&stat).expect("it runs");
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" T"))
    };
    assert!(!is_stopped());
    terminal.press("\x1a");
    terminal.wait("a stopped explorer", |_| is_stopped());
    // As a shell would, until it goes on: on a slow machine it may still be about to stop.
    let until = Instant::now() + patience();
    while !terminal.screen().alternate_screen() && Instant::now() < until {
        terminal.signal("CONT");
        terminal.press("\n");
        std::thread::sleep(Duration::from_millis(500));
    }
    terminal.wait("the explorer again", |screen| {
        screen.alternate_screen() && screen.contents().contains("It is grey.")
    });
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn why_a_file_is_not_written_is_read_whole_behind_a_long_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = folder.path().join("a-very-long-name".repeat(8)).join("results");
    let file = deep.join("drone.md");
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (80, 24));
    terminal.wait_for("of 1,500 tokens");
    terminal.press("sreader\r");
    terminal.wait_for("Enter writes a new file");
    terminal.press("\x15");
    terminal.press(&format!("{}\r", file.display()));
    terminal.wait_for("results: make it, or name another");
    let foot = terminal.screen().contents().lines().last().unwrap_or_default().to_owned();
    assert!(foot.starts_with(" write to ▏…") && foot.contains(" ▕  no folder …"), "{foot}");
    // Once it is made, the same name does.
    std::fs::create_dir_all(&deep).expect("a folder");
    terminal.press("\r");
    terminal.wait_for("drone.md written, ");
    assert!(file.is_file());
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

/// A folder of the user's own, with settings and what is kept.
struct Own(tempfile::TempDir);

impl Own {
    fn new() -> Self {
        let own = Self(tempfile::tempdir().expect("a folder"));
        std::fs::create_dir(own.0.path().join("markscope")).expect("a folder");
        own
    }

    fn settings(&self, text: &str) {
        std::fs::write(self.0.path().join("markscope/config.toml"), text).expect("a file");
    }

    fn kept(&self) -> String {
        std::fs::read_to_string(self.0.path().join("markscope/panes.toml")).unwrap_or_default()
    }

    /// The ground of the explorer as it starts on a light terminal, and what is told of
    /// the themes that so many presses go through.
    fn start(&self, args: &[&str], variables: &[(&str, &str)], presses: usize) -> vt100::Color {
        let folder = self.0.path().to_str().expect("a path");
        let own = [
            ("COLORTERM", "truecolor"),
            ("COLORFGBG", "0;15"),
            ("XDG_CONFIG_HOME", folder),
            ("XDG_STATE_HOME", folder),
        ];
        let args = [&["bundled", "drone"], args].concat();
        let mut terminal =
            Terminal::markscope(&args, &[own.as_slice(), variables].concat(), (120, 40));
        terminal.wait_for("of 1,500 tokens");
        let ground = ground(&terminal.screen());
        for _ in 0..presses {
            terminal.press("t");
            terminal.wait("a theme", |screen| {
                let contents = screen.contents();
                let foot = contents.lines().last().unwrap_or_default();
                foot.starts_with(" theme ") || foot.starts_with(" no colours")
            });
            // The next word may be the same.
            terminal.press("j");
            terminal.wait_for("q quit");
        }
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
        ground
    }
}

#[test]
fn the_theme_that_was_gone_to_is_there_the_next_time() {
    const LIGHT: vt100::Color = vt100::Color::Rgb(0xfb, 0xfa, 0xf7);
    let own = Own::new();
    let dark = Own::new().start(&["--theme", "dark"], &[], 0);
    let dusk = Own::new().start(&["--theme", "dusk"], &[], 0);
    assert!(dark != dusk && dark != LIGHT && dusk != LIGHT);
    // light, terminal, dark, dusk
    assert_eq!(own.start(&[], &[], 3), LIGHT);
    assert_eq!(own.kept(), "wider = 0\ntheme = \"dusk\"\n");
    assert_eq!(own.start(&[], &[], 0), dusk);
    // What is asked for is first, and going on from there is for that time.
    assert_eq!(own.start(&["--theme", "dark"], &[], 1), dark);
    assert_eq!(own.start(&["--theme", "auto"], &[], 1), LIGHT);
    assert_eq!(own.start(&[], &[("MARKSCOPE_THEME", "dark")], 1), dark);
    own.settings("theme = \"dark\"\n");
    assert_eq!(own.start(&[], &[], 1), dark);
    assert_eq!(own.start(&["--no-config"], &[], 0), LIGHT);
    // What stands in a file as it is built in asks for nothing.
    own.settings("theme = \"auto\"\n");
    assert_eq!(own.start(&[], &[], 0), dusk);
    assert_eq!(own.start(&[], &[("NO_COLOR", "1")], 1), vt100::Color::Default);
    assert_eq!(own.start(&["--color", "never"], &[], 1), vt100::Color::Default);
    assert_eq!(own.kept(), "wider = 0\ntheme = \"dusk\"\n");
    // Back at the one that fits the terminal, none is kept.
    assert_eq!(own.start(&[], &[], 1), dusk);
    assert_eq!(own.kept(), "wider = 0\n");
    assert_eq!(own.start(&[], &[], 0), LIGHT);
}

#[test]
fn the_notes_of_a_check_are_shown_where_they_are_wanted() {
    let mut terminal = Terminal::markscope(&["bundled", "drone"], &[], (120, 40));
    terminal.wait_for("of 1,500 tokens");
    terminal.press("6");
    terminal.wait_for("! warning");
    assert!(!terminal.screen().contents().contains("· note "));
    terminal.press("a");
    terminal.wait_for(" notes are shown");
    assert!(terminal.screen().contents().contains("· note "));
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
