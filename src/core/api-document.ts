/** The parts of an OpenAPI 3.1 document that Punctual uses. Source: https://spec.openapis.org/oas/v3.1.0 */

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  deprecated?: boolean
  enum?: (string | number)[]
  const?: string | number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

export interface DocumentedParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
}

/** What a body may be, by its content type. */
export type Content = Record<string, { schema: JsonSchema; example?: object }>

export interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  /** Empty if no API key is needed. */
  security: Record<string, string[]>[]
  parameters: DocumentedParameter[]
  requestBody?: { content: Content }
  /** By status. */
  responses: Record<string, DocumentedResponse>
}

export interface DocumentedResponse {
  description: string
  /** By name. */
  headers?: Record<string, { description: string; schema: JsonSchema }>
  /** Absent without a body. */
  content?: Content
}

export type SecurityScheme =
  | { type: 'apiKey'; in: string; name: string; description: string }
  | { type: 'http'; scheme: 'bearer'; description: string }

export interface ApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, DocumentedOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, SecurityScheme>
  }
}
