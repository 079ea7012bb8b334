//! `throng aim`.

use std::path::PathBuf;

use crate::draw::caption::INK;
use crate::draw::colour::{Rgb, group_colour};
use crate::draw::plot;
use crate::draw::plot::Plot;
use clap::{Args as ClapArgs, ValueEnum};
use image::RgbImage;
use serde_json::{Value, json};
use throng::kernel::intercept;
use throng::kernel::intercept::{Arc, Effort, InterceptError, Method, Outcome, Shot};
use throng::math::Numeric;
use throng::{Fx, Num, Numbers};

use crate::args::NumericArg;
use crate::error::CliError;
use crate::output::{Json, Output};
use crate::say;

/// Points of a path that is drawn.
const POINTS: u32 = 160;
/// Size of the view from the side, and of the one from above, in pixels.
const SIZE: [u32; 2] = [1000, 560];
const TARGET: Rgb = [0x8a, 0x8d, 0x93];

/// Which launches to tell.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ArcArg {
    /// The first hit: flat and fast
    Low,
    /// The last hit: steep and slow
    High,
    /// The earliest hit of all, by a search of its own
    Fastest,
    /// The slowest launch that hits, up to the muzzle speed
    Least,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng aim --target 120,40,0 --speed 60                            a mortar: both arcs
  throng aim --from 0,0,1.5 --target 120,40,0 --velocity 3,-1,0 --speed 60 --picture arcs.png
  throng aim --target 300,0,50 --velocity -40,10,0 --speed 120 --gravity 0 --arc low --json -

x goes to the right, y down, z up. The heading is the angle from x towards y, clockwise on a map.

Exit codes: 0 it hits, 1 nothing hits, 2 bad use or bad input.")]
pub(crate) struct AimArgs {
    /// Where the muzzle is, in metres
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = triple)]
    #[arg(allow_hyphen_values = true)]
    from: [f64; 3],
    /// Where the target is, in metres
    #[arg(long, value_name = "X,Y,Z", value_parser = triple, allow_hyphen_values = true)]
    target: [f64; 3],
    /// The target's velocity in m/s
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = triple)]
    #[arg(allow_hyphen_values = true)]
    velocity: [f64; 3],
    /// The target's acceleration in m/s²
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = triple)]
    #[arg(allow_hyphen_values = true)]
    acceleration: [f64; 3],
    /// The muzzle speed in m/s
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    speed: f64,
    /// Gravity in m/s²; 0 for none
    #[arg(long, value_name = "M/S²", default_value_t = 9.81, allow_negative_numbers = true)]
    gravity: f64,
    /// The longest flight that counts, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, allow_negative_numbers = true)]
    longest: f64,
    /// Which launch to find [default: the low and the high arc]
    #[arg(long, value_enum)]
    arc: Option<ArcArg>,
    /// Number type to compute with
    #[arg(long, value_enum, value_name = "MODE", default_value = "f32")]
    numeric: NumericArg,
    /// Write the answer as JSON here; `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the arcs here (PNG)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Three numbers as typed: `X,Y,Z`.
fn triple(text: &str) -> Result<[f64; 3], String> {
    let wrong = || format!("`{text}` is not X,Y,Z: three numbers, as in 12.5,-40,0");
    let number = |text: &str| text.trim().parse().ok().filter(|v: &f64| v.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)
}

/// A launch with what people want to know of it.
struct Told {
    name: &'static str,
    time: f64,
    launch: [f64; 3],
    outcome: Outcome,
    iterations: u32,
    impact: [f64; 3],
    miss: f64,
}

/// Solves and tells.
pub(crate) fn run(args: &AimArgs) -> Result<bool, CliError> {
    let json = Json::open(args.json.as_deref())?;
    let picture = Output::named(args.picture.as_deref(), "png")?;
    let (told, least) = match Numeric::from(args.numeric) {
        Numeric::F32 => solved::<f32>(args)?,
        Numeric::Fixed => solved::<Fx>(args)?,
    };
    let hits = !told.is_empty();
    let mut text = as_text(args, &told, &least);
    if let (Some(path), Some(output)) = (&args.picture, picture) {
        let flights = if hits { &told[..] } else { std::slice::from_ref(&least) };
        output.picture(&drawn(args, flights), false)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    if !json.is_said() {
        say(&text)?;
    }
    json.tell(&as_json(args, &told, &least))?;
    Ok(hits)
}

/// The launches that hit, and the slowest one that would.
fn solved<N: Numbers>(args: &AimArgs) -> Result<(Vec<Told>, Told), CliError> {
    let shot = shot::<N>(args)?;
    let solve = |name, method| -> Result<Told, CliError> {
        let solution = intercept::solve_within(method, &shot, Effort::FULL)
            .map_err(|error| refused(args, error))?;
        let (time, launch) = (solution.time.to_f64(), solution.launch.map(N::to_f64));
        let (outcome, iterations) = (solution.outcome, solution.iterations);
        let impact = flown(args.target, args.velocity, args.acceleration, time);
        let miss = miss(args, launch, time);
        Ok(Told { name, time, launch, outcome, iterations, impact, miss })
    };
    let least = solve("least", Method::Least)?;
    let wanted: &[(&str, Method)] = match args.arc {
        None => &[("low", Method::Moving(Arc::Low)), ("high", Method::Moving(Arc::High))],
        Some(ArcArg::Low) => &[("low", Method::Moving(Arc::Low))],
        Some(ArcArg::High) => &[("high", Method::Moving(Arc::High))],
        Some(ArcArg::Fastest) => &[("fastest", Method::Fastest)],
        Some(ArcArg::Least) => &[("least", Method::Least)],
    };
    let mut told = Vec::new();
    for &(name, method) in wanted {
        let one = solve(name, method)?;
        // Where there is one arc, the high one is the low one.
        let same = |other: &Told| (other.time - one.time).abs() <= 1e-4 * one.time;
        if one.outcome != Outcome::Impossible && !told.iter().any(same) {
            told.push(one);
        }
    }
    Ok((told, least))
}

/// The shot as it was typed, in a number type.
fn shot<N: Num>(args: &AimArgs) -> Result<Shot<N>, CliError> {
    let delta = [0, 1, 2].map(|i| args.target[i] - args.from[i]);
    if let Some(far) = delta.into_iter().find(|c| c.abs() > 32_767.0) {
        let why = "the target may be up to 32767 m from the muzzle along each axis";
        return Err(CliError::value("--target", far, why));
    }
    for (argument, value) in
        [("--speed", args.speed), ("--gravity", args.gravity), ("--longest", args.longest)]
    {
        if !value.is_finite() {
            return Err(CliError::value(argument, value, "a number is wanted"));
        }
    }
    // The solver refuses what is out of range; fixed point holds more than that of all else.
    let three = |v: [f64; 3]| v.map(N::from_f64);
    Ok(Shot {
        delta: three(delta),
        vel: three(args.velocity),
        acc: three(args.acceleration),
        speed: N::from_f64(args.speed),
        gravity: N::from_f64(args.gravity),
        longest: N::from_f64(args.longest),
    })
}

/// A number that is out of range, by the argument that it came with.
fn refused(args: &AimArgs, error: InterceptError) -> CliError {
    let InterceptError::Range { what, least, most, unit, .. } = error else {
        unreachable!("only ranges are refused");
    };
    let (argument, value) = match what {
        "the distance" => ("--target", length([0, 1, 2].map(|i| args.target[i] - args.from[i]))),
        "the target's speed" => ("--velocity", length(args.velocity)),
        "the target's acceleration" => ("--acceleration", length(args.acceleration)),
        "the muzzle speed" => ("--speed", args.speed),
        "gravity" => ("--gravity", args.gravity),
        _ => ("--longest", args.longest),
    };
    CliError::value(argument, value, format!("{what} may be from {least} to {most} {unit}"))
}

fn flown(from: [f64; 3], vel: [f64; 3], acc: [f64; 3], time: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| from[i] + (vel[i] + 0.5 * acc[i] * time) * time)
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// By how much a launch passes the target: both fly, in steps of a hundred-thousandth of the flight,
/// through the last hundredth of it and as much beyond.
fn miss(args: &AimArgs, launch: [f64; 3], time: f64) -> f64 {
    let fall = [0.0, 0.0, -args.gravity];
    let apart = |time: f64| {
        let projectile = flown(args.from, launch, fall, time);
        let target = flown(args.target, args.velocity, args.acceleration, time);
        [0, 1, 2].map(|i| target[i] - projectile[i])
    };
    let nearest = |from: [f64; 3], to: [f64; 3]| {
        let way = [0, 1, 2].map(|i| to[i] - from[i]);
        let square = length(way) * length(way);
        let along = -(0..3).map(|i| from[i] * way[i]).sum::<f64>();
        let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
        length([0, 1, 2].map(|i| from[i] + share * way[i]))
    };
    let at = |step: i32| apart(time * (1.0 + 1e-5 * f64::from(step)));
    (-1_000..1_000).map(|step| nearest(at(step), at(step + 1))).fold(f64::INFINITY, f64::min)
}

/// Elevation and heading of a velocity in degrees, to a millionth: beyond it the platform's library
/// decides the digits.
#[expect(clippy::disallowed_methods, reason = "rounded, and nothing is computed with it")]
fn angles([x, y, z]: [f64; 3]) -> [f64; 2] {
    let elevation = z.atan2((x * x + y * y).sqrt()).to_degrees();
    let heading = y.atan2(x).to_degrees().rem_euclid(360.0);
    [elevation, heading].map(|angle| (angle * 1e6).round() / 1e6)
}

/// How a launch was found.
fn found(told: &Told) -> String {
    let steps = match told.iterations {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    match told.outcome {
        Outcome::Hit if told.iterations == 0 => "by a formula".to_owned(),
        Outcome::Hit => format!("in {steps}"),
        Outcome::Searched => format!("by search, in {steps}"),
        Outcome::Capped => format!("not for sure: the {steps} ran out"),
        Outcome::Impossible => format!("impossible with this weapon; {steps}"),
    }
}

fn as_text(args: &AimArgs, told: &[Told], least: &Told) -> String {
    let delta = [0, 1, 2].map(|i| args.target[i] - args.from[i]);
    let moves = match (length(args.velocity), length(args.acceleration)) {
        (0.0, 0.0) => "standing".to_owned(),
        (speed, 0.0) => format!("moving at {speed:.2} m/s"),
        (speed, more) => format!("moving at {speed:.2} m/s, accelerating by {more:.2} m/s²"),
    };
    let mut text = format!(
        "target: {:.2} m away, {moves}\nweapon: {} m/s, gravity {} m/s², flights up to {} s\n",
        length(delta),
        args.speed,
        args.gravity,
        args.longest
    );
    for one in told {
        let [elevation, heading] = angles(one.launch);
        let [x, y, z] = one.launch;
        let [to_x, to_y, to_z] = one.impact;
        text.push_str(&format!(
            "\n{} hits after {:.4} s\n  launch    ({x:.4}, {y:.4}, {z:.4}) m/s: {:.3} m/s\n  \
             direction {elevation:.3}° up, heading {heading:.3}°\n  \
             impact    ({to_x:.3}, {to_y:.3}, {to_z:.3}) m\n  \
             found     {}\n  miss      {:.6} m when flown\n",
            if one.name == "low" || one.name == "high" {
                format!("the {} arc", one.name)
            } else {
                format!("the {} shot", one.name)
            },
            one.time,
            length(one.launch),
            found(one),
            one.miss
        ));
    }
    if told.is_empty() {
        let [elevation, heading] = angles(least.launch);
        text.push_str(&format!(
            "\nno launch of {} m/s hits within {} s\nthe slowest that would has {:.3} m/s: \
             {elevation:.3}° up, heading {heading:.3}°, {:.3} s\n",
            args.speed,
            args.longest,
            length(least.launch),
            least.time
        ));
    }
    text
}

fn as_json(args: &AimArgs, told: &[Told], least: &Told) -> Value {
    let one = |one: &Told| {
        let [elevation, heading] = angles(one.launch);
        json!({
            "name": one.name,
            "outcome": format!("{:?}", one.outcome).to_lowercase(),
            "time_s": one.time,
            "launch_m_s": one.launch,
            "speed_m_s": length(one.launch),
            "elevation_deg": elevation,
            "heading_deg": heading,
            "impact_m": one.impact,
            "miss_m": one.miss,
            "iterations": one.iterations,
        })
    };
    json!({
        "from_m": args.from,
        "target_m": args.target,
        "velocity_m_s": args.velocity,
        "acceleration_m_s2": args.acceleration,
        "speed_m_s": args.speed,
        "gravity_m_s2": args.gravity,
        "longest_s": args.longest,
        "numeric": Numeric::from(args.numeric).word(),
        "launches": told.iter().map(one).collect::<Vec<_>>(),
        "least": one(least),
    })
}

/// The arcs from the side and from above, each to scale.
fn drawn(args: &AimArgs, told: &[Told]) -> RgbImage {
    let path = |from, vel, acc, end: f64| -> Vec<[f64; 3]> {
        (0..=POINTS)
            .map(|i| flown(from, vel, acc, end * f64::from(i) / f64::from(POINTS)))
            .collect()
    };
    let last = told.iter().map(|one| one.time).fold(0.0, f64::max);
    let target = path(args.target, args.velocity, args.acceleration, last);
    let fall = [0.0, 0.0, -args.gravity];
    let title = format!("muzzle speed {} m/s, gravity {} m/s²", args.speed, args.gravity);
    let along = |p: [f64; 3]| [length([p[0] - args.from[0], p[1] - args.from[1], 0.0]), p[2]];
    let draw = |plot: &mut Plot, named: bool, flat: &dyn Fn([f64; 3]) -> [f64; 2]| {
        let flat =
            |path: &[[f64; 3]]| -> Vec<[f64; 2]> { path.iter().copied().map(flat).collect() };
        plot.dashes(if named { "target" } else { "" }, TARGET, flat(&target));
        plot.spots("", TARGET, flat(&target[..1]));
        for (i, one) in told.iter().enumerate() {
            let name = format!("{}: {:.2} s, {:.1} m/s", one.name, one.time, length(one.launch));
            let (colour, points) = (group_colour(i), path(args.from, one.launch, fall, one.time));
            plot.line(if named { &name } else { "" }, colour, flat(&points));
            plot.rings("", colour, flat(&points[points.len() - 1..]));
        }
        plot.spots("", INK, flat(&[args.from]));
    };
    let mut side = Plot::new(&title, "from the side: way along the ground (m)", "height (m)");
    draw(side.to_scale(false).x_range(Some(0.0), None), true, &along);
    let mut above = Plot::new("", "from above: x (m)", "y (m)");
    draw(above.to_scale(true), false, &|p| [p[0], p[1]]);
    plot::sheet(&[side, above], 1, SIZE)
}
