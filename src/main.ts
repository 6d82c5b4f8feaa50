#!/usr/bin/env node
const [command, ...args] = process.argv.slice(2)
if (command === 'exec') {
  // It is put in front of many commands, so nothing else is loaded.
  const { exec } = await import('./cli/pings/exec.js')
  process.exit(await exec(args, process.env))
} else {
  const { run } = await import('./cli/run.js')
  process.exitCode = await run(process.argv.slice(2))
}
