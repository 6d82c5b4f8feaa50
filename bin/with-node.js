#!/usr/bin/env node
// Runs a command with another version of Node.js, the newest of a major version or an exact one, which comes from npm:
// `bin/with-node.js 24 npm test -- storage`. Kept in test/node_modules/.nodes, so that it is fetched once.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fetchedPackage } from './fetched-package.js'

const [version, command, ...args] = process.argv.slice(2)
if (!command) {
  console.error('usage: bin/with-node.js VERSION COMMAND [ARGUMENT...]')
  process.exit(2)
}

const hand = process.versions.node
const isAtHand = hand === version || hand.split('.')[0] === version
const bin = isAtHand ? dirname(process.execPath) : join(fetched(), 'bin')
const path = [bin, process.env.PATH].join(delimiter)
const { status, signal } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path } })
if (signal) console.error(`${command} ended with ${signal}`)
process.exit(status ?? 1)

function fetched() {
  return fetchedPackage('.nodes', `node-${process.platform}-${process.arch}`, version)
}
