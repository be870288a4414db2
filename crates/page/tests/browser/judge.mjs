// The judge, as `cargo test --workspace` builds it.

import { rootPath } from "./browser.mjs";

export const JUDGE = rootPath("target/debug/judge");
