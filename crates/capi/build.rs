//! The name by which programs find the shared library, `libthrong.so.0`: the number is the first one of the
//! version.

#![allow(clippy::print_stdout, reason = "this is how cargo is told")]

use std::env;

fn main() {
    let number = env!("CARGO_PKG_VERSION_MAJOR");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let argument = match (target("OS").as_str(), target("FAMILY").as_str()) {
        ("macos", _) => format!("-Wl,-install_name,@rpath/libthrong.{number}.dylib"),
        (_, "unix") => format!("-Wl,-soname,libthrong.so.{number}"),
        _ => return,
    };
    println!("cargo:rustc-cdylib-link-arg={argument}");
    println!("cargo:rerun-if-changed=build.rs");
}
