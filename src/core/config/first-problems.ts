import type { ConfigProblem, Place } from './project-config.js'

/** The most problems that are told: a file may have one for each value, or defaults with hundreds for each of thousands of checks. */
const MOST_PROBLEMS = 1_000

/** Whether no more problems have to be looked for. */
export function areEnough(problems: readonly ConfigProblem[]): boolean {
  return problems.length > MOST_PROBLEMS
}

/** The problems that are told. If they {@link areEnough}, the last one says so; `at`: where the search ended. */
export function firstProblems(problems: readonly ConfigProblem[], at: Place): readonly ConfigProblem[] {
  if (!areEnough(problems)) return problems
  const problem = `There are more problems, which are told when the first ${MOST_PROBLEMS} are mended.`
  return [...problems.slice(0, MOST_PROBLEMS), { at, problem }]
}
