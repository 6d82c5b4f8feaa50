// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

/** Why a request was refused (RFC 9457). */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  /** With status 422. */
  errors?: FieldError[]
  /** With status 403: the scope that a token needs; null: any token will do. */
  scope?: string | null
}

/** What is wrong with a field or a parameter. */
export type FieldError = {
  detail: string
  /** Where in the body (RFC 6901). */
  pointer?: string
  /** Which parameter of the query. */
  parameter?: string
}
