import type {
  ApiDocument,
  DocumentedOperation,
  DocumentedParameter,
  JsonSchema,
} from '../../../core/api-document.js'
import { CopyBlock } from '../../components/copy.js'
import type { PageContext } from '../../page-context.js'
import { curlExample } from './curl-example.js'
import { type DocEntry, DocsFrame } from './docs.js'

interface Props {
  page: PageContext
  docs: readonly DocEntry[]
  /** The path of this document. */
  current: string
  document: ApiDocument
  /** The address of the document for programs. */
  documentUrl: string
}

/** The OpenAPI document as a page for users. */
export function ApiPage({ page, docs, current, document, documentUrl }: Props) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return (
    <DocsFrame page={page} title={document.info.title} docs={docs} current={current}>
      <article class="doc doc-api">
        <h1>{document.info.title}</h1>
        <Text text={document.info.description} />
        <p>
          Base address: <code>{document.servers[0]?.url}</code>. For programs that read OpenAPI:{' '}
          <a href={documentUrl}>openapi.json</a>.
        </p>
        <nav aria-label="Operations">
          <ul>
            {operations.map(({ method, path, operation }) => (
              <li>
                <a href={`#${operation.operationId}`}>{operation.summary}</a>{' '}
                <code>
                  {method} {path}
                </code>
              </li>
            ))}
          </ul>
        </nav>
        {operations.map(one => (
          <OperationSection {...one} example={exampleOf(document, one)} />
        ))}
        <h2>Schemas</h2>
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <section id={`schema-${name}`}>
            <h3>{name}</h3>
            <Text text={schema.description ?? ''} />
            <Properties schema={schema} />
          </section>
        ))}
      </article>
    </DocsFrame>
  )
}

interface Documented {
  path: string
  method: string
  operation: DocumentedOperation
}

/** A command that uses the operation; null for an API whose document has no examples. */
function exampleOf({ servers, components }: ApiDocument, { path, method, operation }: Documented) {
  if (components.securitySchemes.bearer === undefined) return null
  return curlExample(`${servers[0]!.url}${path}`, method, operation)
}

function OperationSection(props: Documented & { example: string | null }) {
  const { path, method, operation, example } = props
  return (
    <section id={operation.operationId}>
      <h2>{operation.summary}</h2>
      <p>
        <code>
          <b>{method}</b> {path}
        </code>
      </p>
      <Text text={operation.description} />
      {operation.parameters.length > 0 && <Parameters parameters={operation.parameters} />}
      {operation.requestBody && (
        <p>
          Body:{' '}
          {Object.entries(operation.requestBody.content).map(([type, { schema }]) => (
            <>
              <code>{type}</code>, <SchemaType schema={schema} />
            </>
          ))}
        </p>
      )}
      {example !== null && <CopyBlock text={example} />}
      <div class="table-scroll" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th>Status</th>
              <th>Meaning</th>
              <th>Body</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(operation.responses).map(([status, { description, content }]) => (
              <tr>
                <td>{status}</td>
                <td>
                  <Inline text={description} />
                </td>
                <td>
                  {Object.entries(content ?? {}).map(([type, { schema }]) =>
                    type === 'application/json' ? <SchemaType schema={schema} /> : <code>{type}</code>,
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Parameters({ parameters }: { parameters: DocumentedParameter[] }) {
  return (
    <div class="table-scroll" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th>Parameter</th>
            <th>In</th>
            <th>Type</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ name, in: place, required, description, schema }) => (
            <tr>
              <td>
                <code>{name}</code>
                {required ? '' : ' (optional)'}
              </td>
              <td>{place}</td>
              <td>
                <SchemaType schema={schema} />
              </td>
              <td>
                <Inline text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Properties({ schema }: { schema: JsonSchema }) {
  const required = new Set(schema.required)
  return (
    <div class="table-scroll" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th>Field</th>
            <th>Type</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(schema.properties ?? {}).map(([name, property]) => (
            <tr class={property.deprecated ? 'deprecated' : undefined}>
              <td>
                <code>{name}</code>
                {required.has(name) ? '' : ' (optional)'}
              </td>
              <td>
                <SchemaType schema={property} />
              </td>
              <td>
                {property.deprecated ? 'Deprecated. ' : ''}
                <Inline text={property.description ?? ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A schema in a few words, with named ones as links. */
function SchemaType({ schema }: { schema: JsonSchema }) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    return <a href={`#schema-${name}`}>{name}</a>
  }
  if (schema.anyOf) {
    return (
      <>
        {schema.anyOf.map((one, index) => (
          <>
            {index === 0 ? '' : ' or '}
            <SchemaType schema={one} />
          </>
        ))}
      </>
    )
  }
  if (schema.items) {
    return (
      <>
        list of <SchemaType schema={schema.items} />
      </>
    )
  }
  if (schema.properties) {
    return (
      <>
        {'{'}
        {Object.entries(schema.properties).map(([name, property], index) => (
          <>
            {index === 0 ? '' : ', '}
            {name}: <SchemaType schema={property} />
          </>
        ))}
        {'}'}
      </>
    )
  }
  if (typeof schema.additionalProperties === 'object') {
    return (
      <>
        map of <SchemaType schema={schema.additionalProperties} />
      </>
    )
  }
  return <>{inWords(schema)}</>
}

function inWords(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(', ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const bounds =
    schema.maximum !== undefined
      ? `, ${schema.minimum} to ${schema.maximum}`
      : schema.maxLength !== undefined
        ? `, at most ${schema.maxLength} characters`
        : ''
  const types = [schema.type ?? 'any'].flat().map(type => (type === 'string' && schema.format) || type)
  return types.join(' or ') + bounds
}

function Text({ text }: { text: string }) {
  return text === '' ? null : (
    <p>
      <Inline text={text} />
    </p>
  )
}

/** A text in which backticks mark code. */
function Inline({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
