import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reads a line from standard input. On a terminal it asks for it, and does not show what is typed. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    let text = ''
    for await (const piece of process.stdin) text += piece
    return text
  }
  process.stderr.write(question)
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
