//! How marks become percentages, averages, grades and positions. Whole hundredths throughout, no floats.
//!
//! Every division is rounded to the nearest hundredth, a half upwards. What is missing is not there: it counts in no sum
//! and in no divisor.

use std::collections::BTreeMap;

use agent_contract::Hundredths;
use tools::grading::GradeBand;

/// A hundred percent, in hundredths.
const WHOLE: i64 = 10_000;

/// A score as a percentage of the maximum. A maximum is never zero, and no score is above its maximum.
pub(super) fn percent(score: Hundredths, maximum: Hundredths) -> Hundredths {
    rounded(i128::from(score.get()) * i128::from(WHOLE), i128::from(maximum.get()))
        .unwrap_or(Hundredths::ZERO)
}

/// The weighted average of percentages; none of nothing. It lies between the smallest and the greatest of them.
pub(super) fn weighted(parts: impl IntoIterator<Item = (Hundredths, i64)>) -> Option<Hundredths> {
    let (sum, weights) =
        parts.into_iter().fold((0_i128, 0_i128), |(sum, weights), (part, weight)| {
            let weight = i128::from(weight);
            (sum + i128::from(part.get()) * weight, weights + weight)
        });
    rounded(sum, weights)
}

/// The average of percentages that count alike; none of nothing.
pub(super) fn average(parts: impl IntoIterator<Item = Hundredths>) -> Option<Hundredths> {
    weighted(parts.into_iter().map(|part| (part, 1)))
}

/// The position of each among all, the highest first: one more than there are higher ones. So equals share a position,
/// and the positions that they fill are skipped.
pub(super) fn positions<K: Ord + Clone>(averages: &[(K, Hundredths)]) -> BTreeMap<K, i64> {
    let mut sorted: Vec<&(K, Hundredths)> = averages.iter().collect();
    sorted.sort_by(|(_, left), (_, right)| right.cmp(left));
    let mut positions = BTreeMap::new();
    let (mut position, mut last) = (0, None);
    for (place, (key, average)) in (1_i64..).zip(sorted) {
        if last != Some(*average) {
            (position, last) = (place, Some(*average));
        }
        positions.insert(key.clone(), position);
    }
    positions
}

/// The grade of a percentage: the highest band that it reaches. The bands are sorted, and the last begins at nothing.
pub(super) fn grade(percent: Hundredths, bands: &[GradeBand]) -> String {
    bands
        .iter()
        .find(|band| percent >= band.from)
        .map(|band| band.grade.clone())
        .unwrap_or_default()
}

/// The nearest whole number to a fraction, a half upwards; none without a divisor.
fn rounded(dividend: i128, divisor: i128) -> Option<Hundredths> {
    if divisor <= 0 {
        return None;
    }
    let nearest = (2 * dividend + divisor) / (2 * divisor);
    i64::try_from(nearest).ok().and_then(|hundredths| Hundredths::new(hundredths).ok())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Hundredths, average, grade, percent, positions, weighted};
    use crate::domain::marking::scale::usual;

    fn number(hundredths: i64) -> Hundredths {
        Hundredths::new(hundredths).expect("within bounds")
    }

    /// Reckoned by hand.
    #[test]
    fn a_half_is_rounded_upwards_and_less_downwards() {
        for (score, maximum, expected) in [
            (3_150, 4_000, 7_875), // 31.5 of 40 is 78.75
            (100, 300, 3_333),     // 1 of 3 is 33.333…
            (200, 300, 6_667),     // 2 of 3 is 66.666…
            (1, 1_600, 6), // 0.0625 is half a hundredth above 0.06: 0.0625 % of 100 is 6.25 hundredths
            (1, 4_000, 3), // 2.5 hundredths
            (0, 5_000, 0),
            (5_000, 5_000, 10_000),
        ] {
            assert_eq!(
                percent(number(score), number(maximum)).get(),
                expected,
                "{score} of {maximum}"
            );
        }
        for (parts, expected) in [
            (vec![(6_000, 30), (8_000, 70)], Some(7_400)),
            (vec![(6_001, 1), (6_002, 1)], Some(6_002)), // 60.015
            (vec![(5_000, 20)], Some(5_000)),
            (vec![], None),
        ] {
            let parts = parts.into_iter().map(|(part, weight)| (number(part), weight));
            assert_eq!(weighted(parts).map(Hundredths::get), expected);
        }
    }

    #[test]
    fn equals_share_a_position_and_the_next_is_skipped() {
        let averages: Vec<(&str, Hundredths)> =
            [("a", 7_000), ("b", 9_000), ("c", 7_000), ("d", 5_000), ("e", 7_000)]
                .map(|(who, average)| (who, number(average)))
                .into();
        let expected = [("a", 2), ("b", 1), ("c", 2), ("d", 5), ("e", 2)];
        assert_eq!(positions(&averages).into_iter().collect::<Vec<_>>(), expected);
        assert!(positions::<&str>(&[]).is_empty());
    }

    #[test]
    fn a_band_is_reached_and_not_rounded_into() {
        for (percent, expected) in
            [(10_000, "A"), (8_000, "A"), (7_999, "B"), (6_000, "C"), (4_999, "E"), (0, "E")]
        {
            assert_eq!(grade(number(percent), &usual()), expected, "{percent}");
        }
    }

    fn percents() -> impl Strategy<Value = Vec<(Hundredths, i64)>> {
        vec(((0..=10_000_i64).prop_map(number), 1..=100_i64), 1..12)
    }

    proptest! {
        #[test]
        fn a_weighted_average_lies_within_its_parts(parts in percents()) {
            let average = weighted(parts.clone()).expect("there are parts");
            let parts = || parts.iter().map(|(part, _)| *part);
            prop_assert!(parts().min() <= Some(average) && Some(average) <= parts().max());
        }

        #[test]
        fn weights_that_are_alike_weigh_nothing(parts in percents(), weight in 1..=100_i64) {
            let plain = average(parts.iter().map(|(part, _)| *part));
            prop_assert_eq!(weighted(parts.into_iter().map(|(part, _)| (part, weight))), plain);
        }

        #[test]
        fn a_better_mark_never_lowers_an_average(parts in percents(), more in 0..=10_000_i64) {
            let before = weighted(parts.clone());
            let mut better = parts;
            better[0].0 = number(better[0].0.get().max(more));
            prop_assert!(weighted(better) >= before);
        }

        #[test]
        fn a_percentage_is_never_above_a_hundred(score in 0..=1_000_000_i64, more in 0..=1_000_000_i64) {
            let maximum = (score + more).clamp(1, 1_000_000);
            prop_assert!(percent(number(score.min(maximum)), number(maximum)) <= number(10_000));
        }

        /// The law of the ranking, said without sorting: one more than there are higher ones.
        #[test]
        fn a_position_is_one_more_than_there_are_higher_ones(averages in vec(0..40_i64, 0..30)) {
            let averages: Vec<(usize, Hundredths)> =
                averages.into_iter().map(number).enumerate().collect();
            let positions = positions(&averages);
            prop_assert_eq!(positions.len(), averages.len());
            for (who, average) in &averages {
                let higher = averages.iter().filter(|(_, other)| other > average).count();
                prop_assert_eq!(positions[who], i64::try_from(higher).unwrap() + 1);
            }
        }
    }
}
