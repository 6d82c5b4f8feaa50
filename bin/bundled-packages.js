/** The packages that every start of the program loads, which are therefore bundled. */
export const BUNDLED_PACKAGES = [
  '@hono/node-server',
  'commander',
  'd3-scale',
  'd3-shape',
  'hono',
  'ipaddr.js',
  'kysely',
  'marked',
  'minisearch',
  'pino',
  'zod',
]

/** Bundled CommonJS packages use `require` for Node's built-in modules. */
export const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
