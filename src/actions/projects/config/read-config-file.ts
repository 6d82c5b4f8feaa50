/** Files of configuration: YAML, or JSON, which is YAML too. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ConfigProblem, Json, Place } from '../../../core/config/project-config.js'
import { readDocument } from '../../../core/config/read-document.js'
import { substitute } from '../../../core/config/substitute.js'
import { yamlValue } from '../../../lib/formats/yaml-value.js'
import { inTurns } from '../../../lib/in-turns.js'
import { channelFields } from './project-config.js'

/** The values of variables by their names. */
export type Variables = Readonly<Record<string, string | undefined>>

export interface ConfigFile {
  /** The content with its variables replaced; null if it is no YAML. */
  document: Json
  /** Without its folder. */
  name: string
  /** What is wrong with it, such as `punctual.yaml:3:5: checks.db.grace: …`. */
  problems: string[]
  /** The line for a problem that was found in the project. */
  describe(problem: ConfigProblem): string
}

/** Reads a file and everything in it that can be judged without a project. Rejects if it cannot be read. */
export async function readConfigFile(path: string, variables: Variables): Promise<ConfigFile> {
  // Loaded only here, since most installations have no such file.
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const parsed = parseDocument(await readFile(path, 'utf8'), { lineCounter: lines })
  const name = basename(path)
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
  /** The beginning of the innermost value on the way to a place. */
  const offsetOf = (place: Place): number => {
    for (let length = place.length; length >= 0; length -= 1) {
      const node = length === 0 ? parsed.contents : parsed.getIn(place.slice(0, length), true)
      if (isNode(node) && node.range) return node.range[0]
    }
    return 0
  }
  const describe = ({ at: place, problem }: ConfigProblem) =>
    [at(offsetOf(place)), ...(place.length > 0 ? [place.join('.')] : []), problem].join(': ')
  const { value, problems } = await yamlValue(parsed)
  if (problems.length > 0) {
    const lines = problems.map(({ offset, problem }) => `${at(offset)}: ${problem}`)
    return { document: null, name, problems: lines, describe }
  }
  const given = substitute(value as Json, variables)
  const read = await inTurns(readDocument(given.document, channelFields()))
  return {
    document: given.document,
    name,
    problems: [...given.problems, ...read.problems].map(describe),
    describe,
  }
}
