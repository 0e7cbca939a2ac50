//! `markscope [WORLD] [QUERY]`: the explorer.

use super::args::Explore;
use super::output::{End, Error};

pub(super) fn run(args: Explore) -> Result<End, Error> {
    let _ = (
        args.world,
        args.query,
        args.print,
        args.size,
        args.theme,
        args.color,
        args.options.budget,
    );
    Err(Error::Usage("x".into()))
}
