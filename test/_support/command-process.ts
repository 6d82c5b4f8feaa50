/**
 * Runs commands of the built program, whose path is its argument, one after another for `warm-cli.ts`. Each gets the
 * environment, arguments and input of a message, and is answered with its output and exit code once nothing that it
 * started keeps the process running.
 */
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const program = process.argv[2]!
let runs = 0

process.on('message', async ({ env, args, input }: { env: object; args: string[]; input: string }) => {
  const before = await whatKeepsRunning()
  const output = { stdout: '', stderr: '' }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, program, ...args]
  process.exitCode = 0
  replace('stdin', Readable.from([Buffer.from(input)], { objectMode: false }))
  replace('stdout', into(output, 'stdout'))
  replace('stderr', into(output, 'stderr'))
  // Its parts are loaded once, the main file, which runs the command, each time.
  await import(`${pathToFileURL(program).href}?${++runs}`)
  while ((await whatKeepsRunning()) > before);
  process.send!({ ...output, code: process.exitCode })
})

/** The number of timers, sockets and the like, after a moment. */
async function whatKeepsRunning(): Promise<number> {
  await sleep(2)
  return process.getActiveResourcesInfo().length
}

function into(output: { stdout: string; stderr: string }, name: 'stdout' | 'stderr'): Writable {
  return new Writable({
    write(piece, _encoding, done) {
      output[name] += piece
      done()
    },
  })
}

function replace(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): void {
  Object.defineProperty(process, name, { configurable: true, value: stream })
}
