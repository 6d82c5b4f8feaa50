#!/usr/bin/env node
// Compiles the sources and runs a file of test/ or bench/: `node bin/run.js bench/main.js --short`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileTests } from './compile-tests.js'

const [, , file, ...args] = process.argv
const path = join(await compileTests(), file)
process.argv = [process.execPath, path, ...args]
await import(pathToFileURL(path).href)
