//! Each check finds a planted fault.

use throng::kernel::intercept::{Arc, Method, Outcome, Shot, reference};
use throng::math::Numeric;

use crate::intercept::shots::One;
use crate::intercept::{asked_for, band, bounds, oracle};

/// A mortar at a standing target: hits at two times.
fn mortar() -> (Shot<f64>, [One; 2]) {
    let shot = Shot {
        delta: [200.0, 50.0, 10.0],
        vel: [0.0; 3],
        acc: [0.0; 3],
        speed: 60.0,
        gravity: 9.81,
        longest: 30.0,
    };
    let hits = reference::hits(&shot, 0.1, 1.01);
    let one =
        |time: f64| One { time, launch: reference::launch(&shot, time), outcome: Outcome::Hit };
    (shot, [one(hits[0]), one(hits[1])])
}

#[test]
fn a_good_answer_passes() {
    let (shot, [low, high]) = mortar();
    for numeric in [Numeric::F32, Numeric::Fixed] {
        for one in [low, high] {
            oracle::flies(&shot, &one, &bounds(numeric)).unwrap();
        }
        let band = band(numeric);
        asked_for(Method::Moving(Arc::Low), &shot, &low, band).unwrap();
        asked_for(Method::Fastest, &shot, &low, band).unwrap();
        asked_for(Method::Moving(Arc::High), &shot, &high, band).unwrap();
    }
}

#[test]
fn a_launch_that_is_off_by_a_hair_misses() {
    let (shot, [low, _]) = mortar();
    for axis in 0..3 {
        let mut off = low;
        off.launch[axis] += 5e-4;
        let error = oracle::flies(&shot, &off, &bounds(Numeric::F32)).unwrap_err();
        assert!(error.contains("misses") || error.contains("launched"), "{error}");
        off.launch = low.launch.map(|v| v * (1.0 + 1e-6));
        assert!(oracle::flies(&shot, &off, &bounds(Numeric::F32)).is_err());
    }
    let late = One { time: 31.0, ..low };
    assert!(oracle::flies(&shot, &late, &bounds(Numeric::F32)).unwrap_err().contains("after"));
}

#[test]
fn a_launch_of_another_speed_is_seen() {
    let (shot, [low, _]) = mortar();
    let time = low.time * 1.0001;
    let off = One { time, launch: reference::launch(&shot, time), ..low };
    assert!(oracle::miss(&shot, off.launch, time) < 1e-9);
    let error = oracle::flies(&shot, &off, &bounds(Numeric::F32)).unwrap_err();
    assert!(error.contains("launched"), "{error}");
}

#[test]
fn the_other_arc_is_seen() {
    let (shot, [low, high]) = mortar();
    for method in [Method::Still(Arc::Low), Method::Moving(Arc::Low), Method::Fastest] {
        let error = asked_for(method, &shot, &high, 1e-6).unwrap_err();
        assert!(error.contains("earlier"), "{error}");
    }
    for method in [Method::Still(Arc::High), Method::Moving(Arc::High)] {
        let error = asked_for(method, &shot, &low, 1e-6).unwrap_err();
        assert!(error.contains("later"), "{error}");
    }
}

#[test]
fn a_shot_given_up_is_seen() {
    let (shot, [low, _]) = mortar();
    let given_up = One { time: 0.0, launch: [0.0; 3], outcome: Outcome::Impossible };
    let error = asked_for(Method::Moving(Arc::Low), &shot, &given_up, 1e-6).unwrap_err();
    assert!(error.contains("impossible"), "{error}");
    // Only just in reach: a thousandth more than the least speed.
    let [_, least] = reference::slowest(&shot, 0.1, 1.0001);
    let shot = Shot { speed: least * 1.001, ..shot };
    assert!(asked_for(Method::Fastest, &shot, &given_up, 1e-6).is_err());
    let shot = Shot { speed: least * 0.999, ..shot };
    asked_for(Method::Fastest, &shot, &given_up, 1e-6).unwrap();
    // A launch that is a thousandth faster than the least one.
    let near = reference::hits(&Shot { speed: least * 1.001, ..shot }, 0.1, 1.01)[0];
    let off = One { time: near, launch: reference::launch(&shot, near), ..low };
    let error = asked_for(Method::Least, &shot, &off, 1e-6).unwrap_err();
    assert!(error.contains("slower"), "{error}");
}
