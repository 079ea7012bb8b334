//! Minds of scenario files in a run: agents go from state to state as declared, and reports know
//! their group alone.

use throng::AgentIndex;
use throng::lane::Numbers;
use throng::math::Fx;
use throng::report::measure::{Measures, Options};
use throng::report::minds::{MindMeter, Minds};
use throng::report::observer::Observer;
use throng::report::trajectories::{Format, Header, Trajectories};
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};

/// Six guards on their round, and a thief that comes through the gate, and goes again.
const GUARDS: &str = r#"
ticks = 900
signals = ["alarm"]
[map]
size = [60, 40]
walls = [{ rect = [28, 0, 30, 16] }, { rect = [28, 24, 30, 40] }]
[[team]]
name = "guards"
[[team]]
name = "thieves"
[[machine]]
name = "guard"
sight = 18
every = 0.25
[[machine.state]]
name = "patrol"
speed = 0.6
behave = [{ kind = "path", points = [[5, 5], [25, 5], [25, 35], [5, 35]], loop = true }]
go = [
    { to = "choose", when = "enemy < 12", do = ["signal alarm"] },
    { to = "choose", when = "since.alarm < 1" },
]
[[machine.state]]
name = "choose"
decides = true
go = [{ to = "chase", when = "enemy < 18" }, { to = "gather" }]
[[machine.state]]
name = "chase"
goal = "enemy"
enter = ["count + 1"]
go = [{ to = "gather", when = "enemy >= 18" }]
[[machine.state]]
name = "gather"
goal = { disc = [10, 20, 3] }
go = [{ to = "chase", when = "enemy < 12" }, { to = "patrol", when = "arrived or timer > 20" }]
[[group]]
name = "guards"
team = "guards"
machine = "guard"
spawn = { rect = [3, 3, 24, 37], count = 6 }
[[group]]
name = "thieves"
team = "thieves"
speed = 4
spawn = { point = [55, 20] }
goal = { point = [20, 20] }
[[order]]
tick = 260
move = "thieves"
goal = { point = [55, 20] }
"#;

/// A plan and the world that it drives.
struct Run<N: Numbers> {
    plan: Plan,
    world: World<N>,
    scratch: Scratch<N>,
}

impl<N: Numbers> Run<N> {
    fn new(text: &str) -> Self {
        let def = ScenarioDef::parse(text, "minds").unwrap_or_else(|e| panic!("{e}"));
        let map = def.load_map(&|_| unreachable!()).unwrap();
        let plan = Plan::new(&def, map).unwrap_or_else(|e| panic!("{e}"));
        let world = World::new(plan.map.clone(), plan.settings).unwrap();
        Self { plan, world, scratch: Scratch::new() }
    }

    fn tick(&mut self) {
        let orders: Vec<Order> = self.plan.orders_at(self.world.tick_count()).cloned().collect();
        tick(&mut self.world, &orders, &mut self.scratch);
        for (order, outcome) in orders.iter().zip(self.world.outcomes()) {
            assert!(!outcome.is_refused(), "{order:?}: {outcome:?}");
        }
    }

    /// Names of the states of the agents that think, by row.
    fn states(&self) -> Vec<&str> {
        let thinks = |row: &usize| self.world.mind_of(self.world.tags()[*row].group).is_some();
        let name = |row: usize| {
            let state = self.world.state_of(self.world.id(row)).unwrap();
            &self.plan.scene.machines[0].states[usize::from(state)][..]
        };
        (0..self.world.len()).filter(thinks).map(name).collect()
    }
}

fn guards<N: Numbers>() {
    let mut run = Run::<N>::new(GUARDS);
    let names: Vec<String> = run.plan.scene.groups.iter().map(|group| group.name.clone()).collect();
    let header = Header {
        scenario: "guards".to_owned(),
        numeric: run.plan.numeric,
        tick_rate: 20,
        every: 10,
        groups: names.clone(),
        y_up: false,
    };
    let mut trajectories = Trajectories::start(Vec::new(), Format::Csv, &header).unwrap();
    let mut measures = Measures::new(&run.plan, Options::default());
    let mut observer = Observer::new(run.world.dt(), vec![[1, 0, 0], [2, 0, 0]]);
    // Classes of states: four of the guards, one of the thieves.
    let shades: Vec<[u8; 3]> = (0..5).map(|i| [i; 3]).collect();
    let mut by_state = Observer::new(run.world.dt(), Vec::new()).by_state(vec![0, 4], shades);
    let mut index = AgentIndex::new();
    let (mut meter, mut story, mut moved) = (MindMeter::default(), Vec::new(), false);
    for _ in 0..run.plan.ticks {
        run.tick();
        let world = &run.world;
        meter.observe(world);
        measures.observe(world);
        trajectories.observe(world).unwrap();
        // To the engine the guards are in variants; everywhere else they are guards.
        moved |= world.tags().iter().any(|tag| tag.group > 1);
        assert!(world.tags().iter().all(|tag| world.base_group(tag.group) < 2));
        index.load(world);
        let everywhere = [throng::map::area::Shape::Rect { min: [0.0; 2], max: [60.0, 40.0] }];
        assert_eq!(index.counts(&everywhere)[..2], [6, 1]);
        observer.load(world);
        let crowd = observer.crowd();
        assert_eq!(crowd.colours, [[1, 0, 0], [2, 0, 0]]);
        assert_eq!(crowd.groups.iter().filter(|&&group| group == 0).count(), 6);
        by_state.load(world);
        for (row, &class) in by_state.crowd().groups.iter().enumerate() {
            let state = world.state_of(world.id(row)).unwrap();
            let is_guard = world.base_group(world.tags()[row].group) == 0;
            assert_eq!(class, if is_guard { u16::from(state) } else { 4 });
        }
        let states = run.states();
        let minds = Minds::new(world, &names, &meter).unwrap();
        assert_eq!((minds.groups.len(), &minds.groups[0].name[..]), (1, "guards"));
        for (state, count) in &minds.groups[0].states {
            assert_eq!(*count as usize, states.iter().filter(|name| *name == state).count());
        }
        let mut seen: Vec<&str> = states.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() == 1 && story.last() != Some(&seen[0].to_owned()) {
            story.push(seen[0].to_owned());
        }
    }
    assert!(moved);
    // All of them walk their round, go for the thief, and are back when the thief has gone.
    assert_eq!(story.first().unwrap(), "patrol");
    assert_eq!(story.last().unwrap(), "patrol");
    assert!(story.iter().any(|state| state == "chase"), "{story:?}");
    assert!(story.iter().all(|state| state != "choose"), "nobody stays in a decision");
    measures.finish(&run.world);
    let report = measures.report();
    let groups: Vec<(&str, u64)> =
        report.groups.iter().map(|group| (&group.name[..], group.agents)).collect();
    assert_eq!(groups, [("guards", 6), ("thieves", 1)]);
    let written = String::from_utf8(trajectories.finish().unwrap()).unwrap();
    let named = |line: &str| names.iter().any(|name| line.ends_with(&format!(",{name}")));
    assert!(written.lines().skip(1).all(named));
    let minds = Minds::new(&run.world, &names, &meter).unwrap();
    assert_eq!((minds.endless, minds.first_endless), (0, None));
}

#[test]
fn guards_chase_and_return() {
    guards::<f32>();
    guards::<Fx>();
}

/// A loop that no check of the file can see is told with its states, and no agent changes its state by it.
#[test]
fn endless_decisions_are_told() {
    let text = r#"
        ticks = 30
        [map]
        size = [20, 20]
        [[machine]]
        name = "dizzy"
        every = 0.05
        chain = 3
        [[machine.state]]
        name = "calm"
        go = [{ to = "left", when = "timer > 0.5" }]
        [[machine.state]]
        name = "left"
        decides = true
        go = [{ to = "right", when = "speed < 1" }, { to = "calm" }]
        [[machine.state]]
        name = "right"
        decides = true
        go = [{ to = "left", when = "speed < 1" }, { to = "calm" }]
        [[group]]
        name = "dervishes"
        machine = "dizzy"
        spawn = { any = [{ point = [5, 5] }, { point = [15, 15] }] }
    "#;
    let mut run = Run::<f32>::new(text);
    let mut meter = MindMeter::default();
    let mut chains = 0;
    for _ in 0..run.plan.ticks {
        run.tick();
        chains += run.world.endless().len() as u64;
        meter.observe(&run.world);
        assert_eq!(run.states(), ["calm", "calm"]);
    }
    let minds = Minds::new(&run.world, &[], &meter).unwrap();
    assert!(chains > 2, "{chains}");
    assert_eq!(minds.endless, chains);
    assert_eq!(minds.groups[0].name, "group 0");
    let way = "calm -> left -> right -> left -> right";
    assert_eq!(minds.first_endless.as_deref(), Some(way));
    let text = minds.to_string();
    assert!(text.contains("group 0         calm 2"), "{text}");
    assert!(text.contains(&format!("FOUND NO END, the first: {way}")), "{text}");
}

/// A world without minds has no report of minds.
#[test]
fn worlds_without_minds_have_none() {
    let text =
        "ticks = 1\n[map]\nsize = [9, 9]\n[[group]]\nname = \"a\"\nspawn = { point = [3, 3] }";
    let mut run = Run::<f32>::new(text);
    run.tick();
    assert_eq!(Minds::new(&run.world, &[], &MindMeter::default()), None);
}
