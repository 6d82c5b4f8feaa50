import { releaseNotes } from './notes.js'

/**
 * A sentence for each reason why these sources cannot be released. `tag` and `repository` (OWNER/NAME on GitHub) are
 * undefined outside GitHub, and then not checked.
 */
export function releaseProblems({ manifest, changelog, tag, repository }) {
  const problems = []
  if (tag && tag !== `v${manifest.version}`)
    problems.push(`The tag is ${tag}, but package.json has version ${manifest.version}.`)
  try {
    releaseNotes(changelog, manifest.version)
  } catch (error) {
    problems.push(`${error.message}.`)
  }
  const named = repositoryOf(manifest)
  if (repository && named !== repository.toLowerCase())
    problems.push(
      `"repository" in package.json has to name github.com/${repository}, or npm refuses the provenance.`,
    )
  return problems
}

function repositoryOf({ repository }) {
  const url = typeof repository === 'string' ? repository : (repository?.url ?? '')
  return /github\.com[/:]([^/]+\/[^/]+?)(?:\.git)?$/.exec(url)?.[1]?.toLowerCase()
}
