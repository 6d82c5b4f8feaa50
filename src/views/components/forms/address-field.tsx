import type { Child } from 'hono/jsx'
import { Field } from './field.js'
import { errorOf, type Problem } from './form-problem.js'

interface Props {
  email: string
  problem: Problem | null
  help?: Child
  autofocus?: boolean
}

/** The field for the e-mail address of the account. */
export function AddressField({ email, problem, ...rest }: Props) {
  return (
    <Field
      label="E-mail address"
      name="email"
      type="email"
      autocomplete="username"
      value={email}
      required
      error={errorOf(problem, 'email')}
      {...rest}
    />
  )
}
