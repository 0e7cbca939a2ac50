//! The commands in the README give what the README shows.

#[test]
fn commands() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("TERM", "xterm")
        .env("XDG_CONFIG_HOME", "/nowhere")
        .case("README.md");
}
