"use strict";
// The last script: starts the page.

new App().start();
