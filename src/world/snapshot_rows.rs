//! Groups and companies as rows of kept state, and back.
//!
//! What can be made again from these rows, the map and the settings is not among them: classes,
//! steering, the kernels' traits.

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::{Kind, Word};
use crate::lane::Numbers;
use crate::map::area::MAX_COORDINATE;
use crate::math::Num;
use crate::nav::field::FieldId;
use crate::world::{Anchor, Company, Group, Guidance, Traits};

/// The words of what a letter costs a group.
pub(crate) const LETTER: &[Word] =
    &[Word::new("letter", Kind::U8), Word::new("slowness", Kind::U8)];

/// The words of rows that hold simulated numbers.
pub(crate) struct Rows<N>(std::marker::PhantomData<N>);

impl<N: Num> Rows<N> {
    const NUMBER: Kind = Kind::of::<N>();

    /// What a group is about.
    pub(crate) const GROUP: &'static [Word] = &[
        Word::new("members", Kind::U32),
        Word::new("aim", Kind::U8),
        Word::new("has_goal", Kind::U8),
        Word::new("target_x", Self::NUMBER),
        Word::new("target_y", Self::NUMBER),
        Word::new("inside", Kind::U32),
        Word::new("laid_for", Kind::U32),
        Word::new("goal_x", Self::NUMBER),
        Word::new("goal_y", Self::NUMBER),
        Word::new("field", Kind::U64),
        Word::new("next_field", Kind::U64),
        Word::new("plain_field", Kind::U64),
        Word::new("company", Kind::U16),
        Word::new("marches", Kind::U8),
        Word::new("fallen", Kind::U32),
    ];

    /// What a company is about.
    pub(crate) const COMPANY: &'static [Word] = &[
        Word::new("forms", Kind::U8),
        Word::new("has_goal", Kind::U8),
        Word::new("target_x", Self::NUMBER),
        Word::new("target_y", Self::NUMBER),
        Word::new("has_anchor", Kind::U8),
        Word::new("anchor_x", Self::NUMBER),
        Word::new("anchor_y", Self::NUMBER),
        Word::new("heading_x", Self::NUMBER),
        Word::new("heading_y", Self::NUMBER),
        Word::new("speed", Self::NUMBER),
        Word::new("pace", Self::NUMBER),
        Word::new("reach", Self::NUMBER),
        Word::new("has_set_out", Kind::U8),
        Word::new("rests", Kind::U8),
        Word::new("reform", Kind::U8),
        Word::new("is_untidy", Kind::U8),
    ];

    /// A member's place in a formation.
    pub(crate) const SLOT: &'static [Word] = &[
        Word::new("id", Kind::U32),
        Word::new("right", Self::NUMBER),
        Word::new("ahead", Self::NUMBER),
    ];
}

/// A group without a field, or without a company.
const NO_FIELD: u64 = u64::MAX;
const NO_COMPANY: u16 = u16::MAX;

fn numbers<N: Num>(numbers: &[N], to: &mut Vec<u8>) {
    numbers.iter().for_each(|number| to.u32(number.bits()));
}

fn flags(flags: &[bool], to: &mut Vec<u8>) {
    flags.iter().for_each(|&flag| to.u8(u8::from(flag)));
}

/// A simulated number; it must be one that a run may hold, like the coordinates of a shape.
pub(crate) fn number<N: Num>(from: &mut Reader<'_>, name: &'static str) -> Result<N, BytesError> {
    let number = N::from_bits(from.u32(name)?);
    let is_good = number.to_f64().abs() <= MAX_COORDINATE;
    if is_good { Ok(number) } else { Err(from.error(name, format!("{number:?}"))) }
}

pub(crate) fn point<N: Num>(
    from: &mut Reader<'_>,
    name: &'static str,
) -> Result<[N; 2], BytesError> {
    Ok([number(from, name)?, number(from, name)?])
}

/// Appends a row of [`Rows::GROUP`].
pub(crate) fn write_group<N: Numbers>(group: &Group<N>, traits: &Traits<N>, to: &mut Vec<u8>) {
    to.u32(group.members);
    to.u8(traits.guidance as u8);
    to.u8(u8::from(group.goal.is_some()));
    numbers(&traits.target, to);
    let (target, inside, laid_for) = match &group.goal {
        Some(goal) => (goal.target, goal.inside, goal.laid_for),
        None => ([N::ZERO; 2], 0, 0),
    };
    to.u32(inside);
    to.u32(laid_for);
    numbers(&target, to);
    for field in [group.field, group.next_field, group.plain_field] {
        to.u64(field.map_or(NO_FIELD, FieldId::word));
    }
    to.u16(group.company.unwrap_or(NO_COMPANY));
    flags(&[group.marches], to);
    to.u32(group.fallen);
}

/// What a row of [`Rows::GROUP`] says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupRow<N> {
    pub(crate) members: u32,
    pub(crate) guidance: Guidance,
    pub(crate) has_goal: bool,
    pub(crate) target: [N; 2],
    pub(crate) inside: u32,
    pub(crate) laid_for: u32,
    pub(crate) goal: [N; 2],
    pub(crate) field: Option<FieldId>,
    pub(crate) next_field: Option<FieldId>,
    pub(crate) plain_field: Option<FieldId>,
    pub(crate) company: Option<u16>,
    pub(crate) marches: bool,
    pub(crate) fallen: u32,
}

/// Reads a row of [`Rows::GROUP`].
pub(crate) fn read_group<N: Num>(from: &mut Reader<'_>) -> Result<GroupRow<N>, BytesError> {
    let field = |from: &mut Reader<'_>, name| {
        let word = from.u64(name)?;
        Ok((word != NO_FIELD).then(|| FieldId::from_word(word)))
    };
    Ok(GroupRow {
        members: from.u32("members")?,
        guidance: {
            let code = from.u8("aim")?;
            let guidance = Guidance::ALL.get(usize::from(code)).copied();
            guidance.ok_or_else(|| from.error("aim", format!("there is no aim {code}")))?
        },
        has_goal: from.flag("has_goal")?,
        target: point(from, "target")?,
        inside: from.u32("inside")?,
        laid_for: from.u32("laid_for")?,
        goal: point(from, "goal")?,
        field: field(from, "field")?,
        next_field: field(from, "next_field")?,
        plain_field: field(from, "plain_field")?,
        company: Some(from.u16("company")?).filter(|&company| company != NO_COMPANY),
        marches: from.flag("marches")?,
        fallen: from.u32("fallen")?,
    })
}

/// Appends a row of [`Rows::COMPANY`].
pub(crate) fn write_company<N: Numbers>(company: &Company<N>, to: &mut Vec<u8>) {
    flags(&[company.forms, company.goal.is_some()], to);
    numbers(&company.goal.as_ref().map_or([N::ZERO; 2], |goal| goal.target), to);
    flags(&[company.anchor.is_some()], to);
    let none = Anchor {
        pos: [N::ZERO; 2],
        heading: [N::ZERO; 2],
        speed: N::ZERO,
        speed_factor: N::ZERO,
        reach: N::ZERO,
        has_set_out: false,
        rests: false,
        reform: false,
        is_untidy: false,
    };
    let anchor = company.anchor.as_ref().unwrap_or(&none);
    numbers(&anchor.pos, to);
    numbers(&anchor.heading, to);
    numbers(&[anchor.speed, anchor.speed_factor, anchor.reach], to);
    flags(&[anchor.has_set_out, anchor.rests, anchor.reform, anchor.is_untidy], to);
}

/// What a row of [`Rows::COMPANY`] says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompanyRow<N> {
    pub(crate) forms: bool,
    pub(crate) has_goal: bool,
    pub(crate) target: [N; 2],
    pub(crate) anchor: Option<Anchor<N>>,
}

/// Reads a row of [`Rows::COMPANY`].
pub(crate) fn read_company_row<N: Num>(from: &mut Reader<'_>) -> Result<CompanyRow<N>, BytesError> {
    let (forms, has_goal) = (from.flag("forms")?, from.flag("has_goal")?);
    let target = point(from, "target")?;
    let has_anchor = from.flag("has_anchor")?;
    let anchor = Anchor {
        pos: point(from, "anchor")?,
        heading: point(from, "heading")?,
        speed: number(from, "speed")?,
        speed_factor: number(from, "pace")?,
        reach: number(from, "reach")?,
        has_set_out: from.flag("has_set_out")?,
        rests: from.flag("rests")?,
        reform: from.flag("reform")?,
        is_untidy: from.flag("is_untidy")?,
    };
    Ok(CompanyRow { forms, has_goal, target, anchor: has_anchor.then_some(anchor) })
}
