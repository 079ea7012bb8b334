// The page of `throng view`: frames come from the server that served it.

import { ServerSource } from "./source.js";
import { Viewer } from "./viewer.js";

new Viewer(new ServerSource()).start();
