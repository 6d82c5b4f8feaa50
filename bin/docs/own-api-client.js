// Writes the client of Punctual's own API from its OpenAPI document: a type for each schema, in a file for each resource,
// and a method for each operation.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { comment, declarations, typeOf } from './schema-types.js'

const PAGE = 'src/client/own-api.ts'
/** The folder of the types, beside the page. */
const FOLDER = 'own-api'
const HEADER = "// Written by `npm run docs` from the OpenAPI document of Punctual's own API.\n"

const BIOME = fileURLToPath(new URL('../../test/node_modules/@biomejs/biome/bin/biome', import.meta.url))

/** The files by their paths. */
export function ownApiClient({ paths, components: { schemas } }) {
  const methods = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => methodOf(path, method, operation, schemas)),
  )
  const resources = resourcesOf(paths, schemas)
  const types = declarations(schemas)
  const names = [...new Set(resources.values())].sort()
  const client = `/** Punctual's own API. Every method throws an \`ApiError\` for an error status. */
export class PunctualApi extends OwnApiRequests {
${methods.join('\n')}}
`
  const imports = `${importsFor(client, resources, `./${FOLDER}/`)}import { OwnApiRequests } from './own-api-requests.js'\n`
  const exports = names.map(name => `export type * from './${FOLDER}/${name}.js'\n`).join('')
  const page = `${HEADER}${imports}\n${exports}\n${client}`
  const files = names.map(name => {
    const own = types.filter(type => resources.get(type.name) === name)
    const text = own.map(type => type.text).join('\n')
    const others = new Map([...resources].filter(([, resource]) => resource !== name))
    return [`src/client/${FOLDER}/${name}.ts`, `${HEADER}${importsFor(text, others, './')}\n${text}`]
  })
  return formatted(new Map([[PAGE, page], ...files]))
}

/**
 * The resource of each schema, which is the first word of the shortest path that mentions it, such as `silences`. The
 * schemas of errors, which every path mentions, are in `problem`.
 */
function resourcesOf(paths, schemas) {
  const resources = new Map()
  const add = (name, resource) => {
    if (resources.has(name)) return
    resources.set(name, resource)
    for (const inner of mentionedIn(schemas[name])) add(inner, resource)
  }
  add('Problem', 'problem')
  const length = path => path.split('/').length
  for (const [path, item] of Object.entries(paths).sort(([a], [b]) => length(a) - length(b)))
    for (const name of mentionedIn(item)) add(name, path.split(/[/:]/)[1])
  return resources
}

/** The names of the schemas to which a part of the document refers. */
function mentionedIn(part) {
  return [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
}

/** The imports of the types that `text` uses, from the files of their resources in `folder`. */
function importsFor(text, resources, folder) {
  const code = text.replace(/\/\*\*.*?\*\/|'.*?'|".*?"/g, '')
  const used = [...resources.keys()].filter(name => new RegExp(`\\b${name}\\b`).test(code)).sort()
  return [...new Set(used.map(name => resources.get(name)))]
    .sort()
    .map(resource => {
      const names = used.filter(name => resources.get(name) === resource)
      return `import type { ${names.join(', ')} } from '${folder}${resource}.js'\n`
    })
    .join('')
}

/** The files as the linter wants them. */
function formatted(files) {
  const mark = path => `// FILE ${path}\n`
  const input = [...files].map(([path, text]) => mark(path) + text).join('\n')
  const { stdout, stderr } = spawnSync(process.execPath, [BIOME, 'format', `--stdin-file-path=${PAGE}`], {
    input,
    encoding: 'utf8',
  })
  if (!stdout) throw new Error(stderr)
  const [, ...parts] = stdout.split(/^\/\/ FILE .*\n/m)
  return new Map([...files.keys()].map((path, index) => [path, `${parts[index].trimEnd()}\n`]))
}

function methodOf(path, method, operation, schemas) {
  const places = operation.parameters.filter(one => one.in === 'path')
  const query = operation.parameters.filter(one => one.in === 'query' && !OWN.includes(one.name))
  const lists = operation.parameters.some(({ name }) => name === 'cursor')
  const headers = operation.parameters.filter(one => one.in === 'header')
  const body = operation.requestBody?.content['application/json']?.schema
  const isNeeded = query.some(({ required }) => required)
  const parameters = [
    ...places.map(({ name, schema }) => `${camel(name)}: ${typeOf(schema)}`),
    ...(body ? [`body: ${typeOf(body)}${isOptional(body) ? ' = {}' : ''}`] : []),
    ...(query.length + headers.length > 0
      ? [`options: { ${[...query, ...headers].map(option).join('; ')} }${isNeeded ? '' : ' = {}'}`]
      : []),
  ]
  const address = `\`${path.replace(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(${camel(name)})}`)}\``
  const asked = [
    `method: '${method.toUpperCase()}'`,
    `path: ${path.includes('{') ? address : address.replaceAll('`', "'")}`,
    ...(body ? ['body'] : []),
    ...(query.length + headers.length > 0 ? ['options'] : []),
  ]
  const [, { content }] = Object.entries(operation.responses)[0]
  const answer = content?.['application/json']?.schema
  const text = comment(operation.summary, '  ')
  const name = operation.operationId
  const inner = parameters.length > 1 ? `\n    ${parameters.join(',\n    ')},\n  ` : parameters.join(', ')
  if (lists) {
    const item = itemOf(answer.$ref ? schemas[answer.$ref.split('/').at(-1)] : answer)
    return `${text}  ${name}(${inner}): AsyncGenerator<${item}, void, void> {\n    return this.pages({ ${asked.join(', ')} })\n  }\n`
  }
  const [type, call] = answer ? [typeOf(answer), 'json'] : ['Response', 'request']
  return `${text}  ${name}(${inner}): Promise<${type}> {\n    return this.${call}({ ${asked.join(', ')} })\n  }\n`
}

/** What the class sets by itself. */
const OWN = ['project', 'cursor', 'fields']

function option({ name, schema, required, description }) {
  return `/** ${description} */ ${camel(name)}${required ? '' : '?'}: ${typeOf(schema)}`
}

/** The type of the items of a list. */
function itemOf({ properties }) {
  const { items, anyOf } = properties.items
  return anyOf ? anyOf.map(one => typeOf(one.items)).join(' | ') : typeOf(items)
}

function isOptional({ required = [], $ref }) {
  return $ref === undefined && required.length === 0
}

const camel = name =>
  name.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase()).replace(/^\w/, one => one.toLowerCase())
