/** Plays random steps against the server and a model, and compares the two after each step. */
import assert from 'node:assert/strict'
import type { Account, Reply, World } from '../worlds/world.js'
import type { Fields, Step } from './fuzz-steps.js'
import { CheckModel } from './model.js'

/** The settings of docs/runs.md at their defaults, by their names in Punctual's own API. */
const RUN_DEFAULTS = {
  start_within: null,
  max_duration: null,
  min_duration: null,
  track_runs: 'latest',
  failures_to_alert: 1,
  failure_window: null,
  tolerated: ['failed'],
  successes_to_recover: 1,
  success_exit_codes: '0',
  early: 0,
}

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Two projects with what they should contain; Alice's secrets must never be returned for another key. */
export class FuzzRun {
  checks: CheckModel[] = []
  /** The number of requests sent. */
  sent = 0
  #now: number

  constructor(
    private readonly world: World,
    readonly accounts: [Account, Account],
  ) {
    this.#now = world.clock.now()
  }

  async send(method: string, path: string, request: Parameters<World['send']>[2] = {}): Promise<Reply> {
    this.sent++
    const reply = await this.world.send(method, path, request)
    assert.ok(
      reply.status < 500,
      `${method} ${path} ${JSON.stringify(request)}: ${reply.status} ${reply.text}`,
    )
    this.#holdSecrets(reply, path, request)
    return reply
  }

  /** A read-only key sees no UUID, and a project's key nothing of another project, unless the request named it. */
  #holdSecrets(reply: Reply, path: string, { key, body }: { key?: string; body?: unknown }): void {
    const asked = path + (typeof body === 'string' ? body : JSON.stringify(body ?? ''))
    for (const check of this.checks) {
      const own = this.accounts[check.owner]!
      const hidden = key === own.rw ? [] : key === own.ro ? [check.uuid] : [check.uuid, check.uniqueKey]
      for (const secret of hidden)
        assert.ok(asked.includes(secret) || !reply.text.includes(secret), `${path} tells ${secret}`)
    }
  }

  key(check: CheckModel): string {
    return this.accounts[check.owner]!.rw
  }

  async apply(step: Step): Promise<CheckModel | null> {
    if (step.do === 'wait') return await this.#wait(step)
    if (step.do === 'create') return await this.#create(step)
    if (step.do === 'junk') return await this.#junk(step)
    const check = this.checks[step.pick % this.checks.length]
    if (!check) return null
    if (step.do === 'update') return await this.#update(check, step)
    if (step.do === 'ping')
      return step.slug ? await this.#pingSlug(check, step) : await this.#ping(check, step)
    if (step.do === 'defaults') return await this.#setDefaults(check)
    if (step.do === 'refused') return await this.#refused(check, step)
    if (step.do === 'invalid') return await this.#invalid(check, step)
    return await this.#verb(check, step.do)
  }

  async #wait({ seconds, watched }: Step & { do: 'wait' }): Promise<null> {
    const { clock, store } = this.world
    clock.advance(seconds)
    this.#now = clock.now()
    if (watched) {
      while ((await store.alerts.declareDown(this.#now, 1000)).more);
      for (const check of this.checks) check.watch(this.#now)
    }
    return null
  }

  async #create({ owner, version, fields, unique }: Step & { do: 'create' }): Promise<CheckModel> {
    const complete = unique.length > 0 && unique.every(field => fields[field] !== undefined)
    const known = complete
      ? this.checks.find(
          check => check.owner === owner && unique.every(field => check[field] === fields[field]),
        )
      : undefined
    const key = this.accounts[owner]!.rw
    const { status, json } = await this.send('POST', `/api/v${version}/checks/`, {
      key,
      body: { ...fields, unique },
    })
    assert.equal(status, known ? 200 : 201)
    const check = known ?? (await this.#add(json.uuid, owner))
    assert.equal(json.uuid, check.uuid)
    change(check, fields, version)
    return check
  }

  async #add(uuid: string, owner: number): Promise<CheckModel> {
    const { json } = await this.send('GET', `/api/v3/checks/${uuid}`, { key: this.accounts[owner]!.ro })
    const check = new CheckModel(uuid, json.unique_key, owner)
    this.checks.push(check)
    return check
  }

  async #update(check: CheckModel, { version, fields }: Step & { do: 'update' }): Promise<CheckModel> {
    const path = `/api/v${version}/checks/${check.uuid}`
    assert.equal((await this.send('POST', path, { key: this.key(check), body: fields })).status, 200)
    change(check, fields, version)
    return check
  }

  /** Changes nothing. */
  async #setDefaults(check: CheckModel): Promise<CheckModel> {
    const path = `/api/punctual/v1/checks/${check.uuid}`
    const body = RUN_DEFAULTS
    assert.equal((await this.send('PATCH', path, { key: this.key(check), body })).status, 200)
    return check
  }

  async #ping(check: CheckModel, step: Step & { do: 'ping' }): Promise<CheckModel> {
    const query = step.rid === null ? '' : `?rid=${step.rid}`
    assert.equal((await this.send(step.method, `/ping/${check.uuid}${step.suffix}${query}`)).status, 200)
    record(check, step, this.#now)
    return check
  }

  async #pingSlug(like: CheckModel, step: Step & { do: 'ping' }): Promise<CheckModel | null> {
    const slug = like.slug || 'never-used'
    const matches = this.checks.filter(check => check.owner === like.owner && check.slug === slug)
    const query = `?create=${step.create ? 1 : 0}${step.rid === null ? '' : `&rid=${step.rid}`}`
    const key = this.accounts[like.owner]!.pingKey
    const { status } = await this.send(step.method, `/ping/${key}/${slug}${step.suffix}${query}`)
    const [match] = matches
    if (matches.length > 1) assert.equal(status, 409)
    else if (match) assert.equal(status, 200)
    else assert.equal(status, step.create ? 201 : 404)
    if (matches.length > 1 || status === 404) return null
    const check = match ?? (await this.#found(slug, like.owner))
    record(check, step, this.#now)
    return check
  }

  /** The check that a ping has just created. */
  async #found(slug: string, owner: number): Promise<CheckModel> {
    const { json } = await this.send('GET', `/api/v3/checks/?slug=${slug}`, { key: this.accounts[owner]!.rw })
    const check = await this.#add(json.checks[0].uuid, owner)
    return Object.assign(check, { name: slug, slug })
  }

  async #verb(check: CheckModel, verb: 'pause' | 'resume' | 'delete'): Promise<CheckModel | null> {
    const key = this.key(check)
    const path = `/api/v3/checks/${check.uuid}`
    if (verb === 'delete') {
      assert.equal((await this.send('DELETE', path, { key })).status, 200)
      assert.equal((await this.send('DELETE', path, { key })).status, 404)
      this.checks = this.checks.filter(one => one !== check)
      return null
    }
    const { status } = await this.send('POST', `${path}/${verb}`, { key })
    if (verb === 'pause') check.pause()
    assert.equal(status, verb === 'pause' || check.resume() ? 200 : 409)
    return check
  }

  async #refused(check: CheckModel, { operation, by }: Step & { do: 'refused' }): Promise<CheckModel> {
    const uuid = by === 'nobody' ? NOBODY : check.uuid
    const path = `/api/v3/checks/${uuid}`
    const operations: [method: string, path: string, reads: boolean][] = [
      ['GET', path, true],
      ['POST', path, false],
      ['DELETE', path, false],
      ['POST', `${path}/pause`, false],
      ['POST', `${path}/resume`, false],
      ['GET', `${path}/pings/`, false],
      ['GET', `${path}/flips/`, true],
      ['GET', `${path}/pings/1/body`, false],
    ]
    const [method, url, reads] = operations[operation]!
    const own = this.accounts[check.owner]!
    const key = {
      stranger: this.accounts[1 - check.owner]!.rw,
      reader: own.ro,
      nobody: own.rw,
      keyless: 'x',
    }[by]
    const expected = { stranger: 403, reader: reads ? 200 : 401, nobody: 404, keyless: 401 }[by]
    const { status } = await this.send(method, url, {
      key,
      ...(method === 'POST' ? { body: { name: 'taken' } } : {}),
    })
    assert.equal(status, expected, `${method} ${url} by a ${by}`)
    return check
  }

  async #invalid(check: CheckModel, { body, create }: Step & { do: 'invalid' }): Promise<CheckModel> {
    const path = create ? '/api/v3/checks/' : `/api/v3/checks/${check.uuid}`
    assert.equal((await this.send('POST', path, { key: this.key(check), body })).status, 400)
    return check
  }

  /** Any request at all: the paths name no check, so nothing may change. */
  async #junk({ owner, method, path, query, body, key }: Step & { do: 'junk' }): Promise<null> {
    const { rw, ro } = this.accounts[owner]!
    const url = `/api/v3/${path.map(encodeURI).join('/')}?${encodeURIComponent(query)}`
    // A POST to the list of checks could create one. The path as it is sent: without a fragment, and without dots.
    const { pathname } = new URL(url, 'http://host')
    if (method === 'POST' && /^\/api\/v\d\/+checks\/*$/.test(pathname)) return null
    const withBody = body !== null && method !== 'GET' && method !== 'HEAD'
    const keys = [rw, ro, 'x'.repeat(32), '']
    await this.send(method, url, { key: keys[key]!, ...(withBody ? { body } : {}) })
    return null
  }

  /** Compares a check with its model. */
  async verify(check: CheckModel): Promise<void> {
    const path = `/api/v3/checks/${check.uuid}`
    const { status, json } = await this.send('GET', path, { key: this.key(check) })
    assert.equal(status, 200)
    const seen = {
      name: json.name,
      slug: json.slug,
      status: json.status,
      started: json.started,
      n_pings: json.n_pings,
      last_ping: json.last_ping,
      next_ping: json.next_ping,
      last_duration: json.last_duration,
    }
    assert.deepEqual(seen, {
      name: check.name,
      slug: check.slug,
      status: check.shown(this.#now),
      started: check.lastStart !== null,
      n_pings: check.nPings,
      last_ping: instant(check.lastPing),
      next_ping: instant(check.nextPing(this.#now)),
      last_duration: check.lastDuration ? Math.floor(check.lastDuration / 1000) : undefined,
    })
    const flips = (await this.send('GET', `${path}/flips/`, { key: this.accounts[check.owner]!.ro })).json
    const expected = check.flips.map(({ at, up }) => ({ timestamp: instant(at), up }))
    assert.deepEqual(flips, expected.reverse())
  }

  /** Compares both projects with the model. */
  async verifyAll(): Promise<void> {
    for (const [index, account] of this.accounts.entries()) {
      const { json } = await this.send('GET', '/api/v3/checks/', { key: account.rw })
      const own = this.checks.filter(check => check.owner === index).map(check => check.uuid)
      assert.deepEqual(
        json.checks.map((check: { uuid: string }) => check.uuid),
        own,
      )
    }
    for (const check of this.checks) await this.verify(check)
  }
}

function change(check: CheckModel, fields: Fields, version: number): void {
  if (fields.schedule !== undefined) check.schedule = fields.schedule
  else if (fields.timeout !== undefined) {
    check.schedule = null
    check.timeout = fields.timeout
  }
  check.grace = fields.grace ?? check.grace
  check.methods = fields.methods ?? check.methods
  check.manualResume = fields.manual_resume ?? check.manualResume
  check.name = fields.name ?? check.name
  // The names are chosen so that they are their own slugs.
  check.slug = fields.slug ?? (version < 3 ? fields.name : undefined) ?? check.slug
}

function record(check: CheckModel, { suffix, method, rid }: Step & { do: 'ping' }, now: number): void {
  const action = { '/start': 'start', '/fail': 'fail', '/7': 'fail', '/log': 'log' } as const
  check.ping(action[suffix as keyof typeof action] ?? 'success', method, rid, now)
}

function instant(ms: number | null): string | null {
  return ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}+00:00`
}
