/** An error in a form. `field` names its field; null is the form as a whole. */
export interface Problem {
  field: string | null
  message: string
}

/** The error of a form as a whole, above its fields. */
export function FormProblem({ problem }: { problem: Problem | null }) {
  return problem && problem.field === null ? (
    <p class="error" role="alert">
      {problem.message}
    </p>
  ) : null
}

/** The error of one field, for its `error`. */
export function errorOf(problem: Problem | null, field: string): string | undefined {
  return problem?.field === field ? problem.message : undefined
}
