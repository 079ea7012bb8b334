//! A crowd in a window: every agent is an entity with a sprite, drawn between ticks. Left click builds a
//! wall, right click takes walls down. The argument is a scenario that ships, else `crossing`, with 2,000
//! agents.
//!
//! ```console
//! cargo run --release --manifest-path window/Cargo.toml battle
//! ```

use bevy::asset::RenderAssetUsages;
use bevy::camera::ScalingMode;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::window::PrimaryWindow;
use bevy_throng::{Agent, Crowd, GiveOrder, ThrongPlugin};
use throng::scenario::{Overrides, Plan};
use throng::{Map, Order, Shape, Simulation};

const AGENTS: u64 = 2_000;
/// Radius of what a click builds and takes down, in metres.
const BRUSH: f64 = 3.0;

/// The sprite that shows the map, and which version of it.
#[derive(Component)]
struct Ground {
    version: u32,
}

fn load(scenario: &str) -> Result<Simulation<f32>> {
    let changes = Overrides { agents: Some(AGENTS), ..Overrides::default() };
    Ok(Simulation::from_plan(Plan::load(scenario, &changes)?)?)
}

/// One pixel a cell: walls dark, ground the lighter the quicker it is.
fn picture(map: &Map) -> Image {
    let (width, height) = (map.width(), map.height());
    let shade = |x, y| match map.slowness()[map.index(x, y) as usize] {
        0 => 40,
        slowness => 255 - slowness.min(120),
    };
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let data = cells.flat_map(|(x, y)| [[shade(x, y); 3].as_slice(), &[255]].concat()).collect();
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    let usages = RenderAssetUsages::default();
    let mut image = Image::new(size, TextureDimension::D2, data, format, usages);
    image.sampler = ImageSampler::nearest();
    image
}

fn begin(mut commands: Commands, mut images: ResMut<Assets<Image>>) -> Result {
    let sim = load(std::env::args().nth(1).as_deref().unwrap_or("crossing"))?;
    let map = sim.world().map();
    let size = Vec2::new(map.width() as f32, map.height() as f32) * map.cell_size() as f32;
    // The map's y grows downwards, so it lies below the origin.
    let middle = Vec3::new(size.x / 2.0, -size.y / 2.0, 0.0);
    let scaling_mode = ScalingMode::AutoMin { min_width: size.x, min_height: size.y };
    let projection =
        OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    commands.spawn((
        Camera2d,
        Projection::Orthographic(projection),
        Transform::from_translation(middle),
    ));
    commands.spawn((
        Sprite { image: images.add(picture(map)), custom_size: Some(size), ..default() },
        Transform::from_translation(middle),
        Ground { version: sim.world().map_version() },
    ));
    // On a large map agents are drawn larger than they are, or they could not be seen.
    let least = size.max_element() / 500.0;
    for agent in sim.agents() {
        let colour = Color::hsl(f32::from(agent.group().index()) * 137.5 % 360.0, 0.8, 0.45);
        // A little longer than wide: sprites turn with their agents.
        let size = least.max(agent.radius() as f32) * Vec2::new(2.4, 1.6);
        commands.spawn((
            Agent(agent.id()),
            Sprite::from_color(colour, size),
            // Above the ground; the third coordinate stays as it is.
            Transform::from_xyz(0.0, 0.0, 1.0),
        ));
    }
    commands.insert_resource(Crowd::from(sim));
    Ok(())
}

/// Orders by clicks. One that is refused, as when there is no wall to take down, changes nothing.
fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut orders: MessageWriter<GiveOrder>,
) {
    let (camera, placed) = *camera;
    let Some(at) = window.cursor_position() else { return };
    let Ok(at) = camera.viewport_to_world_2d(placed, at) else { return };
    let area = vec![Shape::disc([f64::from(at.x), f64::from(-at.y)], BRUSH)];
    if buttons.just_pressed(MouseButton::Left) {
        orders.write(GiveOrder(Order::Build { area }));
    } else if buttons.just_pressed(MouseButton::Right) {
        orders.write(GiveOrder(Order::Demolish { area }));
    }
}

/// Draws the map again when it has changed.
fn draw_ground(
    crowd: Res<Crowd>,
    mut images: ResMut<Assets<Image>>,
    ground: Single<(&mut Sprite, &mut Ground)>,
) {
    let (mut sprite, mut ground) = ground.into_inner();
    let version = crowd.world().map_version();
    if ground.version != version {
        ground.version = version;
        sprite.image = images.add(picture(crowd.world().map()));
    }
}

fn main() {
    let window = Window { title: "throng".to_owned(), ..default() };
    let window = WindowPlugin { primary_window: Some(window), ..default() };
    App::new()
        .add_plugins((DefaultPlugins.set(window), ThrongPlugin::<f32>::default()))
        .add_systems(Startup, begin)
        .add_systems(Update, (click, draw_ground.run_if(resource_exists::<Crowd>)))
        .run();
}
