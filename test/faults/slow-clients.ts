/** Clients that send a byte from time to time (“slow loris”): some in their headers, some in their bodies. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Fault } from './frame/bench.js'

export const slowClients: Fault = {
  name: 'slow senders',
  engines: ['sqlite'],

  async run(bench) {
    const trial = await bench.open()
    const count = bench.thorough ? 2_000 : 300
    const slow = openSlow(bench, Number(new URL(trial.program.site).port), trial.busy[0]!, count)
    const load = trial.startLoad()
    await load.acknowledged(1_000)
    trial.figures['slow connections'] = count
    assert.ok(slow.open() > 0, 'they are still there')
    // Headers may take 15 s and a whole request 60 s; Node.js checks every 30 s.
    if (bench.thorough) {
      for (let waited = 0; slow.open() > 0; waited++) {
        assert.ok(waited < 120, `${slow.open()} slow connections were never cut off`)
        await sleep(1_000)
        trial.figures['cut off after, s'] = waited + 1
      }
    }
    await load.settle()
    return trial
  },
}

function openSlow(bench: Bench, port: number, check: string, count: number) {
  const sockets = new Set<Socket>()
  for (let index = 0; index < count; index++) {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
    const start = `POST /ping/${check}/log HTTP/1.1\r\nHost: slow\r\n`
    socket.write(index % 2 ? start : `${start}Content-Length: 100000\r\n\r\n`)
  }
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write('x')
  }, 1_000)
  bench.defer(() => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  })
  return { open: () => sockets.size }
}
