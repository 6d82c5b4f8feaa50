#!/usr/bin/env node
// Runs a command with another version of Node.js, the newest of a major version or an exact one, which comes from npm:
// `bin/with-node.js 24 npm test -- storage`. Kept in test/node_modules/.nodes, so that it is fetched once.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [version, command, ...args] = process.argv.slice(2)
if (!command) {
  console.error('usage: bin/with-node.js VERSION COMMAND [ARGUMENT...]')
  process.exit(2)
}

const hand = process.versions.node
const bin = hand === version || hand.split('.')[0] === version ? dirname(process.execPath) : fetched()
const path = [bin, process.env.PATH].join(delimiter)
const { status, signal } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path } })
if (signal) console.error(`${command} ended with ${signal}`)
process.exit(status ?? 1)

function fetched() {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..')
  const folder = join(root, 'test', 'node_modules', '.nodes', version)
  const name = `node-${process.platform}-${process.arch}`
  const found = join(folder, 'node_modules', name, 'bin')
  if (existsSync(found)) return found
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder]
  const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  return found
}
