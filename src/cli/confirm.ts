import { createInterface } from 'node:readline/promises'
import { Refusal } from '../core/errors.js'

/** Asks on the terminal. Throws a `Refusal` with `otherwise` unless the answer is yes. */
export async function confirm(question: string, otherwise: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${question} Type yes: `)
  lines.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new Refusal('invalid', otherwise)
}
