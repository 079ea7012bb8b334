#![no_main]

throng_fuzz::fuzz!(throng_fuzz::targets::tiled::TARGET);
