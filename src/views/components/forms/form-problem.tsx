/** What is wrong with a form: `field` names the field that it belongs to, null the form as a whole. */
export interface Problem {
  field: string | null
  message: string
}

/** What is wrong with a form as a whole, above its fields. */
export function FormProblem({ problem }: { problem: Problem | null }) {
  return problem && problem.field === null ? (
    <p class="error" role="alert">
      {problem.message}
    </p>
  ) : null
}

/** What is wrong with one field, for its `error`. */
export function errorOf(problem: Problem | null, field: string): string | undefined {
  return problem?.field === field ? problem.message : undefined
}
