import { z } from 'zod'
import { once } from '../../lib/once.js'

const fieldError = once(() =>
  z
    .strictObject({
      detail: z.string(),
      pointer: z.string().optional().meta({ description: 'Where in the body (RFC 6901).' }),
      parameter: z.string().optional().meta({ description: 'Which parameter of the query.' }),
    })
    .meta({ id: 'FieldError', description: 'What is wrong with a field or a parameter.' }),
)

/** An error: problem details (RFC 9457). */
export const problemSchema = once(() =>
  z
    .strictObject({
      type: z.string(),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      errors: z.array(fieldError()).optional().meta({ description: 'With status 422.' }),
      scope: z.string().nullable().optional().meta({
        description: 'With status 403: the scope that a token needs; null: any token will do.',
      }),
    })
    .meta({ id: 'Problem', description: 'Why a request was refused (RFC 9457).' }),
)
