//! Behaviours as bytes, for replays and digests.

use crate::data::bytes::{BytesError, Reader, Write};
use crate::world::{Behaviour, BehaviourKind, Mark, Side};

/// Writes a list of behaviours.
pub(crate) fn write_behaviours(behaviours: &[Behaviour], to: &mut Vec<u8>) {
    to.u32(behaviours.len() as u32);
    for Behaviour { kind, weight, priority } in behaviours {
        to.f64(*weight);
        to.u8(*priority);
        write_kind(kind, to);
    }
}

fn write_kind(kind: &BehaviourKind, to: &mut Vec<u8>) {
    match kind {
        BehaviourKind::Goal => to.u8(0),
        BehaviourKind::Seek { to: mark, range } => write_mark(1, *mark, *range, to),
        BehaviourKind::Flee { from, range } => write_mark(2, *from, *range, to),
        BehaviourKind::Pursue { quarry, range, horizon } => {
            to.u8(3);
            to.u16(*quarry);
            [*range, *horizon].iter().for_each(|&number| to.f64(number));
        }
        BehaviourKind::Evade { hunter, range, horizon } => {
            to.u8(4);
            to.u16(*hunter);
            [*range, *horizon].iter().for_each(|&number| to.f64(number));
        }
        BehaviourKind::Wander { turn, rate } => {
            to.u8(5);
            [*turn, *rate].iter().for_each(|&number| to.f64(number));
        }
        BehaviourKind::Cohesion { with, range } => {
            to.u8(6);
            to.u16(*with);
            to.f64(*range);
        }
        BehaviourKind::Alignment { with, range } => {
            to.u8(7);
            to.u16(*with);
            to.f64(*range);
        }
        BehaviourKind::Path { points, radius, closed } => {
            to.u8(8);
            to.f64(*radius);
            to.u8(u8::from(*closed));
            to.u32(points.len() as u32);
            points.as_flattened().iter().for_each(|&number| to.f64(number));
        }
        BehaviourKind::Wall { side, distance, range } => {
            to.u8(9);
            to.u8(u8::from(*side == Side::Right));
            [*distance, *range].iter().for_each(|&number| to.f64(number));
        }
    }
}

fn write_mark(kind: u8, mark: Mark, range: f64, to: &mut Vec<u8>) {
    to.u8(kind);
    match mark {
        Mark::Point(at) => {
            to.u8(0);
            at.iter().for_each(|&number| to.f64(number));
        }
        Mark::Group(group) => {
            to.u8(1);
            to.u16(group);
        }
    }
    to.f64(range);
}

/// Reads a list of behaviours.
pub(crate) fn read_behaviours(from: &mut Reader<'_>) -> Result<Vec<Behaviour>, BytesError> {
    let count = from.count("behaviours", 10)?;
    let behaviour = |from: &mut Reader<'_>| {
        let (weight, priority) = (from.any_f64("weight")?, from.u8("priority")?);
        Ok(Behaviour { weight, priority, kind: read_kind(from)? })
    };
    (0..count).map(|_| behaviour(from)).collect()
}

fn read_kind(from: &mut Reader<'_>) -> Result<BehaviourKind, BytesError> {
    match from.u8("kind")? {
        0 => Ok(BehaviourKind::Goal),
        1 => Ok(BehaviourKind::Seek { to: read_mark(from)?, range: from.any_f64("range")? }),
        2 => Ok(BehaviourKind::Flee { from: read_mark(from)?, range: from.any_f64("range")? }),
        3 => {
            let (quarry, range) = (from.u16("quarry")?, from.any_f64("range")?);
            Ok(BehaviourKind::Pursue { quarry, range, horizon: from.any_f64("horizon")? })
        }
        4 => {
            let (hunter, range) = (from.u16("hunter")?, from.any_f64("range")?);
            Ok(BehaviourKind::Evade { hunter, range, horizon: from.any_f64("horizon")? })
        }
        5 => Ok(BehaviourKind::Wander { turn: from.any_f64("turn")?, rate: from.any_f64("rate")? }),
        6 => Ok(BehaviourKind::Cohesion { with: from.u16("with")?, range: from.any_f64("range")? }),
        7 => {
            Ok(BehaviourKind::Alignment { with: from.u16("with")?, range: from.any_f64("range")? })
        }
        8 => {
            let radius = from.any_f64("radius")?;
            let closed = from.flag("closed")?;
            let count = from.count("points", 16)?;
            let point = |_| Ok([from.any_f64("x")?, from.any_f64("y")?]);
            let points = (0..count).map(point).collect::<Result<_, _>>()?;
            Ok(BehaviourKind::Path { points, radius, closed })
        }
        9 => {
            let side = if from.flag("side")? { Side::Right } else { Side::Left };
            let (distance, range) = (from.any_f64("distance")?, from.any_f64("range")?);
            Ok(BehaviourKind::Wall { side, distance, range })
        }
        other => Err(from.error("kind", format!("there is no behaviour {other}"))),
    }
}

fn read_mark(from: &mut Reader<'_>) -> Result<Mark, BytesError> {
    if from.flag("mark")? {
        Ok(Mark::Group(from.u16("group")?))
    } else {
        Ok(Mark::Point([from.any_f64("x")?, from.any_f64("y")?]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaviours_come_back_as_they_were_and_cut_ones_are_refused() {
        let (range, horizon) = (4.5, 2.0);
        let kinds = [
            BehaviourKind::Goal,
            BehaviourKind::Seek { to: Mark::Point([1.5, 2.0]), range },
            BehaviourKind::Flee { from: Mark::Group(7), range },
            BehaviourKind::Pursue { quarry: 1, range, horizon },
            BehaviourKind::Evade { hunter: 2, range, horizon },
            BehaviourKind::Wander { turn: 1.0, rate: 0.25 },
            BehaviourKind::Cohesion { with: 3, range },
            BehaviourKind::Alignment { with: 4, range },
            BehaviourKind::Path { points: vec![[0.5, 1.0], [2.0, 3.0]], radius: 1.0, closed: true },
            BehaviourKind::Wall { side: Side::Right, distance: 1.0, range },
        ];
        let list: Vec<Behaviour> = (0_u8..)
            .zip(kinds)
            .map(|(i, kind)| Behaviour::new(kind).weight(f64::from(i) / 4.0).priority(i))
            .collect();
        let mut bytes = Vec::new();
        write_behaviours(&list, &mut bytes);
        let mut reader = Reader::new(&bytes);
        assert_eq!(read_behaviours(&mut reader).as_ref(), Ok(&list));
        assert_eq!(reader.left(), 0);
        for cut in 0..bytes.len() {
            assert!(read_behaviours(&mut Reader::new(&bytes[..cut])).is_err(), "cut at {cut}");
        }
    }
}
