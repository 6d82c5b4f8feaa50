#!/usr/bin/env node
// Runs a command with another version of Node.js, given as a major or an exact version: `bin/with-node.js 24 npm test
// -- storage`. Installs it from npm in test/node_modules/.nodes on first use.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fetchPackage } from './fetch-package.js'

const [version, command, ...args] = process.argv.slice(2)
if (!command) {
  console.error('usage: bin/with-node.js VERSION COMMAND [ARGUMENT...]')
  process.exit(2)
}

const current = process.versions.node
const isCurrent = current === version || current.split('.')[0] === version
const bin = isCurrent ? dirname(process.execPath) : join(fetchNode(), 'bin')
const path = [bin, process.env.PATH].join(delimiter)
const { status, signal } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path } })
if (signal) console.error(`${command} ended with ${signal}`)
process.exit(status ?? 1)

function fetchNode() {
  return fetchPackage('.nodes', `node-${process.platform}-${process.arch}`, version)
}
