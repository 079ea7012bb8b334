//! Fields that a world keeps: latency, sharing, eviction.

use crate::common::terrain;
use crate::common::terrain::Random;
use std::sync::Arc;
use throng::map::Clearance;
use throng::nav::field::{
    CrowdCosts, FieldError, FieldId, FieldLimits, Fields, FieldsSnapshot, GoalCells, Job, solve,
    solve_around,
};

fn class() -> Clearance {
    terrain::rooms(96, 2).class(0.4)
}

fn goal(class: &Clearance, share: u32) -> GoalCells {
    GoalCells::point(terrain::passable_cell(class.slowness(), share).unwrap())
}

/// A cache of some fields of a class.
fn fields(class: &Clearance, count: u64, cells_per_tick: u32, max_jobs: u32) -> Fields {
    let cells = class.slowness().len() as u32;
    let cap_bytes = count * 8 * u64::from(cells);
    Fields::new(cells, FieldLimits { cap_bytes, cells_per_tick, max_jobs })
}

fn words(fields: &Fields) -> FieldsSnapshot {
    fields.keep()
}

/// Ticks until a field is visible.
fn ticks_until_visible(fields: &mut Fields, classes: &[Arc<Clearance>], id: FieldId) -> u32 {
    (1..)
        .find(|_| {
            fields.advance(classes);
            fields.directions(id).is_some()
        })
        .expect("some tick")
}

#[test]
fn a_field_is_visible_when_its_work_is_done() {
    let classes = [Arc::new(class())];
    let goals = goal(&classes[0], 300);
    let mut job = Job::default();
    job.start(&classes[0], &goals, Vec::new());
    let mut expected = 1;
    while !job.advance(&classes[0], 1000).done {
        expected += 1;
    }
    assert!(expected > 5);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut fields = fields(&classes[0], 9, 1000, 8);
        let id = fields.request(&goals, 0, 0).unwrap();
        assert_eq!(fields.directions(id), None);
        let ticks = pool.install(|| ticks_until_visible(&mut fields, &classes, id));
        assert_eq!(ticks, expected);
        assert_eq!(fields.directions(id).unwrap(), solve(&classes[0], &goals).directions);
        assert_eq!(fields.pending(), 0);
    }
}

#[test]
fn jobs_beyond_the_most_wait_for_their_turn() {
    let classes = [Arc::new(class())];
    let mut fields = fields(&classes[0], 9, u32::MAX, 2);
    let ids: Vec<FieldId> =
        (0..5).map(|i| fields.request(&goal(&classes[0], 100 * i), 0, 0).unwrap()).collect();
    for visible in [2, 4, 5] {
        fields.advance(&classes);
        let found: Vec<bool> = ids.iter().map(|&id| fields.directions(id).is_some()).collect();
        let expected: Vec<bool> = (0..5).map(|i| i < visible).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn equal_goals_share_a_field_and_classes_do_not() {
    let map = terrain::rooms(96, 2);
    let classes = [map.class(0.4), map.class(1.2)].map(Arc::new);
    let mut fields = fields(&classes[0], 9, 4000, 8);
    let goals = goal(&classes[1], 500);
    let first = fields.request(&goals, 0, 0).unwrap();
    let other = fields.request(&goals, 1, 0).unwrap();
    let again = fields.request(&goals.clone(), 0, 7).unwrap();
    assert_eq!(first, again);
    assert_ne!(first, other);
    while fields.pending() > 0 {
        fields.advance(&classes);
    }
    assert_eq!(fields.directions(other).unwrap(), solve(&classes[1], &goals).directions);
    assert_eq!(fields.goals(first), Some((&goals, 0)));
}

/// A crowd on a share of the cells of the map, in 1/1000.
fn crowd(class: &Clearance, random: &mut Random, share: u32) -> CrowdCosts {
    let mut costs = CrowdCosts::default();
    let extra = class.slowness().iter().map(|_| if random.below(1000) < share { 90 } else { 0 });
    costs.set(1, class.stride(), extra);
    costs
}

#[test]
fn fields_around_equal_crowds_are_one_and_past_ones_make_room() {
    let classes = [Arc::new(class())];
    let mut random = Random(3);
    let mut fields = fields(&classes[0], 9, u32::MAX, 8);
    let goals = goal(&classes[0], 500);
    let plain = fields.request(&goals, 0, 0).unwrap();
    fields.hold(plain);
    assert_eq!(fields.request_around(plain, &CrowdCosts::default(), 0), Ok(plain));
    let mut followed = plain;
    for tick in 1..40 {
        let crowd = crowd(&classes[0], &mut random, 300);
        let next = fields.request_around(followed, &crowd, tick).unwrap();
        fields.hold(next);
        assert_eq!(fields.request_around(followed, &crowd.clone(), tick), Ok(next));
        assert_eq!(fields.crowd(next), Some(&crowd));
        assert_eq!(fields.request(&goals, 0, tick), Ok(plain), "the plain field stays");
        fields.advance(&classes);
        let expected = solve_around(&classes[0], &goals, &crowd).directions;
        assert_eq!(fields.directions(next).unwrap(), expected);
        fields.release(followed);
        followed = next;
    }
    assert_eq!(fields.bytes(), 3 * fields.field_bytes());
}

#[test]
fn the_least_recently_used_field_makes_room() {
    let classes = [Arc::new(class())];
    let mut fields = fields(&classes[0], 3, u32::MAX, 8);
    let request =
        |fields: &mut Fields, share, tick| fields.request(&goal(&classes[0], share), 0, tick);
    let a = request(&mut fields, 100, 1).unwrap();
    let b = request(&mut fields, 200, 1).unwrap();
    let c = request(&mut fields, 300, 1).unwrap();
    fields.advance(&classes);
    fields.hold(a);
    fields.touch(b, 5);
    let d = request(&mut fields, 400, 6).unwrap();
    assert_eq!(fields.directions(c), None, "the oldest that nobody holds is gone");
    assert!(fields.directions(b).is_some());
    fields.hold(b);
    fields.hold(d);
    let cap = fields.bytes();
    let field_bytes = fields.field_bytes();
    let error = request(&mut fields, 300, 7).unwrap_err();
    assert_eq!(error, FieldError::CapReached { cap, in_use: 3, field_bytes });
    fields.release(b);
    let e = request(&mut fields, 300, 7).unwrap();
    assert_eq!(fields.directions(b), None);
    fields.advance(&classes);
    assert_eq!(
        fields.directions(e).unwrap(),
        solve(&classes[0], &goal(&classes[0], 300)).directions
    );
    assert!(fields.directions(a).is_some() && fields.directions(d).is_some());
}

#[test]
fn a_job_that_is_evicted_leaves_no_trace() {
    let classes = [Arc::new(class())];
    let mut fields = fields(&classes[0], 1, 500, 8);
    let first = fields.request(&goal(&classes[0], 100), 0, 0).unwrap();
    for _ in 0..9 {
        fields.advance(&classes);
    }
    let goals = goal(&classes[0], 900);
    let second = fields.request(&goals, 0, 1).unwrap();
    ticks_until_visible(&mut fields, &classes, second);
    assert_eq!(fields.directions(first), None);
    assert_eq!(fields.directions(second).unwrap(), solve(&classes[0], &goals).directions);
}

#[test]
fn bad_goals_are_errors() {
    let classes = [Arc::new(class())];
    let mut fields = fields(&classes[0], 1, 500, 8);
    let cells = classes[0].slowness().len() as u32;
    let none = GoalCells::new(vec![], vec![5]);
    assert_eq!(fields.request(&none, 0, 0), Err(FieldError::NoGoal));
    let outside = GoalCells::point(cells);
    assert_eq!(fields.request(&outside, 0, 0), Err(FieldError::GoalOutside { cell: cells, cells }));
    let mut tiny = Fields::new(cells, FieldLimits { cap_bytes: 100, ..FieldLimits::default() });
    let error = tiny.request(&goal(&classes[0], 1), 0, 0).unwrap_err();
    assert!(error.to_string().contains("100 bytes holds 0 fields"), "{error}");
}

#[test]
fn a_copy_goes_on_alike() {
    let classes = [Arc::new(class())];
    let mut random = Random(4);
    let mut fields = fields(&classes[0], 4, 700, 2);
    for tick in 0..200 {
        if random.below(6) == 0 {
            fields.request(&goal(&classes[0], random.below(1000)), 0, tick).unwrap();
        }
        fields.advance(&classes);
        if tick == 100 {
            let mut copy = fields.clone();
            let mut original = fields.clone();
            for _ in 0..60 {
                assert_eq!(words(&copy), words(&original));
                copy.advance(&classes);
                original.advance(&classes);
            }
        }
    }
}

#[test]
fn kept_fields_go_on_alike() {
    let map = terrain::rooms(96, 2);
    let classes = [map.class(0.4), map.class(1.2)].map(Arc::new);
    let cells = map.slowness().len() as u32;
    let mut random = Random(11);
    let mut fields = fields(&classes[0], 5, 700, 2);
    let (mut working, mut waiting, mut visible, mut around) = (0, 0, 0, 0);
    for tick in 0..300 {
        if random.below(8) == 0 {
            let class = random.below(2);
            let goals = goal(&classes[class as usize], random.below(1000));
            let mut id = fields.request(&goals, class, tick).unwrap();
            if random.below(2) == 0 {
                fields.hold(id);
                let crowd = crowd(&classes[class as usize], &mut random, 200);
                let around = fields.request_around(id, &crowd, tick).unwrap();
                fields.release(id);
                id = around;
            }
            if random.below(30) == 0 {
                fields.hold(id);
            }
        }
        fields.advance(&classes);
        if tick % 10 != 0 {
            continue;
        }
        let kept = fields.keep();
        for field in &kept.fields {
            around += u32::from(!field.crowd.is_free());
            working += u32::from(field.shown.is_none() && field.work > 0);
            waiting += u32::from(field.work == 0);
            visible += u32::from(field.shown.is_some());
        }
        let mut restored = Fields::restore(cells, kept.clone(), &classes).unwrap();
        assert_eq!(restored.keep(), kept);
        let mut original = fields.clone();
        for _ in 0..30 {
            assert_eq!(words(&restored), words(&original));
            restored.advance(&classes);
            original.advance(&classes);
        }
        let goals = goal(&classes[0], 777);
        let ids = [&mut restored, &mut original].map(|f| f.request(&goals, 0, tick).unwrap());
        assert_eq!(ids[0], ids[1]);
        // A field that was not held is made again when it is.
        for fields in [&mut restored, &mut original] {
            fields.hold(ids[0]);
        }
        ticks_until_visible(&mut restored, &classes, ids[0]);
        ticks_until_visible(&mut original, &classes, ids[0]);
        assert_eq!(restored.directions(ids[0]), original.directions(ids[0]));
        assert_eq!(words(&restored), words(&original));
    }
    assert!(working > 0 && waiting > 0 && visible > 0, "{working} {waiting} {visible}");
    assert!(around > 9, "{around}");
}

#[test]
fn kept_fields_that_contradict_are_refused() {
    let classes = [Arc::new(class())];
    let cells = classes[0].slowness().len() as u32;
    let mut fields = fields(&classes[0], 5, 700, 2);
    for share in [100, 200, 300] {
        let id = fields.request(&goal(&classes[0], share), 0, 0).unwrap();
        fields.hold(id);
    }
    for _ in 0..26 {
        fields.advance(&classes);
    }
    let good = fields.keep();
    assert!(good.fields[0].shown.is_some() && good.fields[2].shown.is_none(), "{good:?}");
    let refused = |change: fn(&mut FieldsSnapshot)| {
        let mut kept = good.clone();
        change(&mut kept);
        Fields::restore(cells, kept, &classes).expect_err("contradictory").to_string()
    };
    assert!(refused(|kept| kept.limits.cap_bytes = 9).contains("more than the cap of 9"));
    assert!(refused(|kept| kept.limits.max_jobs = u32::MAX).contains("1 to 64"));
    assert!(refused(|kept| kept.fields[1].class = 1).contains("class 1, but there are 1"));
    assert!(refused(|kept| kept.fields[1].goals = GoalCells::default()).contains("field 1 has no"));
    assert!(refused(|kept| kept.fields[1].goals = GoalCells::point(1 << 30)).contains("off the"));
    assert!(refused(|kept| kept.fields[0].work += 1).contains("field 0 does not come to"));
    assert!(refused(|kept| kept.fields[2].work += 1).contains("field 2 does not come to"));
    assert!(refused(|kept| kept.fields[0].shown = None).contains("queue"));
    assert!(refused(|kept| kept.queue.push(2)).contains("queue"));
    assert!(refused(|kept| kept.queue.push(99)).contains("queue"));
    assert!(refused(|kept| kept.queue.clear()).contains("queue"));
    assert!(refused(|kept| kept.fields[2].outdated = true).contains("queue"));
}

#[test]
fn a_thousand_orders_stay_inside_the_cap() {
    let classes = [Arc::new(class())];
    let mut fields = fields(&classes[0], 5, 65_536, 8);
    let cap = fields.field_bytes() * 5;
    let mut random = Random(1);
    let mut held = None;
    let mut workspace = 0;
    for tick in 0..1000 {
        let goals = goal(&classes[0], random.below(1000));
        let id = fields.request(&goals, 0, tick).unwrap();
        fields.hold(id);
        if let Some(before) = held.replace(id) {
            fields.release(before);
        }
        while fields.directions(id).is_none() {
            fields.advance(&classes);
        }
        assert!(fields.bytes() <= cap);
        if tick == 100 {
            workspace = fields.workspace_bytes();
        }
        if tick % 97 == 0 {
            assert_eq!(fields.directions(id).unwrap(), solve(&classes[0], &goals).directions);
        }
    }
    assert_eq!(fields.workspace_bytes(), workspace, "nothing grows once it is warm");
}
