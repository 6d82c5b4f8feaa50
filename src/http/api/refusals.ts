/** The errors that operations share, by status, for the OpenAPI document. */

/** For operations with an optional body, such as one that contains the key. */
export const malformedBody = { 400: 'The body is not a JSON object, or is too large.' }

export const notAllowed = { 400: 'The request is malformed, or holds something that is not allowed.' }

export const anyKey = { 401: 'The API key is missing or unknown.' }

export const writeKey = { 401: 'The API key is missing, unknown or read-only.' }

/** For operations on one check. */
export const oneCheck = {
  403: 'The check belongs to another project.',
  404: 'There is no such check.',
}
