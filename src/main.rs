//! The `markscope` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    markscope::cli::main()
}
