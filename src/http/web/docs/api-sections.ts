import type { ApiDocument, DocumentedOperation, JsonSchema } from '../../../core/api-document.js'
import type { Section } from './render-markdown.js'

/** The API's reference for the search: each operation and each schema is a section. */
export function apiSections(document: ApiDocument): Section[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => operationSection(method, path, operation)),
  )
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => ({
    id: `schema-${name}`,
    heading: name,
    text: [schema.description ?? '', ...propertiesOf(schema)].join(' '),
  }))
  return [...operations, ...schemas]
}

function operationSection(method: string, path: string, operation: DocumentedOperation): Section {
  const { operationId, summary, description, parameters } = operation
  const named = parameters.map(parameter => `${parameter.name}: ${parameter.description}`)
  const text = [`${method.toUpperCase()} ${path}.`, description, ...named].join(' ')
  return { id: operationId, heading: summary, text }
}

function propertiesOf({ properties = {} }: JsonSchema): string[] {
  return Object.entries(properties).map(([name, { description }]) =>
    description ? `${name}: ${description}` : `${name}.`,
  )
}
