//! How much a difference between two engines may be owed to chance.
//!
//! Numbers are drawn with splitmix64 from a fixed seed, so the same figures give
//! the same interval everywhere.

use serde::{Deserialize, Serialize};

/// The seed of every interval.
pub const SEED: u64 = 20_260_914;
/// How often the lookups are drawn anew for an interval.
pub const RESAMPLES: usize = 10_000;

/// The mean change of a figure over pairs, with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// How many pairs there are.
    pub pairs: usize,
    /// The mean change.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How often the pairs were drawn anew.
    pub resamples: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// Splitmix64, a small generator of numbers with a published definition.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A place in a list that is not empty: the high part of a product, so without
    /// the bias of a remainder to the low places.
    fn place(&mut self, length: usize) -> usize {
        ((u128::from(self.next()) * length as u128) >> 64) as usize
    }
}

/// The percentile bootstrap interval of the mean of paired changes: as many pairs
/// are drawn, with repetition, as there are, the mean is taken, many times over;
/// the interval leaves out the lowest and the highest 2.5% of the means. None
/// where there is no pair.
pub fn interval(changes: &[i64]) -> Option<Interval> {
    if changes.is_empty() {
        return None;
    }
    let count = changes.len();
    let mut draws = SplitMix(SEED);
    // Wide enough for whatever a file makes up.
    let mut draw = || i128::from(changes[draws.place(count)]);
    let mut sums: Vec<i128> = (0..RESAMPLES).map(|_| (0..count).map(|_| draw()).sum()).collect();
    sums.sort_unstable();
    let cut = RESAMPLES / 40;
    let mean = |sum: i128| rounded(sum as f64 / count as f64);
    Some(Interval {
        pairs: count,
        mean: mean(changes.iter().copied().map(i128::from).sum()),
        low: mean(sums[cut]),
        high: mean(sums[RESAMPLES - 1 - cut]),
        resamples: RESAMPLES,
        seed: SEED,
    })
}

/// The exact two-sided sign test: how likely it is that of as many coins as there
/// are pairs with a change, the rarer side falls as rarely, or more so.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignTest {
    /// Pairs with more.
    pub more: u64,
    /// Pairs with less.
    pub fewer: u64,
    /// Pairs without a change, which the test leaves out.
    pub same: u64,
    /// The probability; 1 where no pair has a change.
    pub p: f64,
}

/// The sign test of paired changes.
pub fn sign_test(changes: &[i64]) -> SignTest {
    let count = |holds: fn(&&i64) -> bool| changes.iter().filter(holds).count() as u64;
    let (more, fewer) = (count(|change| **change > 0), count(|change| **change < 0));
    SignTest { more, fewer, same: changes.len() as u64 - more - fewer, p: two_sided(more, fewer) }
}

fn two_sided(more: u64, fewer: u64) -> f64 {
    let tossed = more + fewer;
    // Logarithms, since 2 to the number of tosses is soon too large a number.
    let mut log_term = -(tossed as f64) * std::f64::consts::LN_2;
    let mut sum = log_term.exp();
    for k in 1..=more.min(fewer) {
        log_term += ((tossed - k + 1) as f64).ln() - (k as f64).ln();
        sum += log_term.exp();
    }
    ((2.0 * sum).min(1.0) * 1e6).round() / 1e6
}

/// Three digits behind the point.
pub(super) fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e3).round() / 1e3;
    // No "-0".
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // The published first numbers for seed 1234567.
        let mut draws = SplitMix(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| draws.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn the_sign_test_is_exact() {
        for (more, fewer, p) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (3, 0, 0.25),
            (5, 0, 0.0625),
            (8, 2, 0.109375),
            (2, 8, 0.109375),
            (9, 1, 0.021484),
            (4, 4, 1.0),
            (2_000, 2_000, 1.0),
            (3_000, 0, 0.0),
        ] {
            assert_eq!(two_sided(more, fewer), p, "{more} and {fewer}");
        }
        let test = sign_test(&[3, -1, 0, 2, 0]);
        assert_eq!((test.more, test.fewer, test.same, test.p), (2, 1, 2, 1.0));
    }

    #[test]
    fn an_interval_holds_the_mean_and_is_the_same_every_time() {
        assert_eq!(interval(&[]), None);
        let same = interval(&[7, 7, 7]).expect("pairs");
        assert_eq!((same.mean, same.low, same.high), (7.0, 7.0, 7.0));
        let changes = [-120, -30, 10, -200, 0, -90, 40, -60];
        let found = interval(&changes).expect("pairs");
        assert_eq!((found.pairs, found.mean), (8, -56.25));
        assert!(found.low < found.mean && found.mean < found.high && found.high < 0.0, "{found:?}");
        assert_eq!(interval(&changes), Some(found));
    }
}
