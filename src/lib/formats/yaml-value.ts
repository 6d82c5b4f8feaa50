/** The values of documents of YAML, and what is wrong with them. The library is loaded on first use. */
import type { Document } from 'yaml'

/** A mistake in a document, and where it is in the text. */
interface YamlProblem {
  offset: number
  problem: string
}

/** The value of a parsed document, or its mistakes. */
export async function yamlValue(
  document: Document.Parsed,
): Promise<{ value: unknown; problems: [] } | { value: null; problems: YamlProblem[] }> {
  const problems = document.errors.map(({ pos, message }) => ({
    offset: pos[0],
    problem: message.split('\n')[0]!,
  }))
  if (problems.length > 0) return { value: null, problems }
  const aliases = await readAliases(document)
  if (aliases.problem) return { value: null, problems: [aliases.problem] }
  try {
    return { value: document.toJS(), problems: [] }
  } catch (error) {
    // The library counts what aliases repeat, and refuses more than it would be safe to hold in memory.
    if (!(error instanceof ReferenceError) || aliases.first === null) throw error
    const problem = 'There are too many aliases: write out what they repeat.'
    return { value: null, problems: [{ offset: aliases.first, problem }] }
  }
}

/** Where the first alias is, and the first alias that names nothing before it, or what it is itself a part of. */
async function readAliases(
  document: Document.Parsed,
): Promise<{ first: number | null; problem: YamlProblem | null }> {
  const { isAlias, isNode, visit } = await import('yaml')
  const anchored = new Map<string, unknown>()
  let first: number | null = null
  let problem: YamlProblem | null = null
  visit(document, (_, node, path) => {
    if (!isNode(node)) return
    if (!isAlias(node)) {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
      return
    }
    const { source } = node
    const offset = node.range?.[0] ?? 0
    first ??= offset
    if (!anchored.has(source))
      problem = { offset, problem: `There is no anchor &${source} before *${source}.` }
    else if ((path as readonly unknown[]).includes(anchored.get(source)))
      problem = { offset, problem: `The alias *${source} is a part of what it repeats.` }
    return problem ? visit.BREAK : undefined
  })
  return { first, problem }
}
