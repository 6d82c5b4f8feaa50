/** How many actions the tasks take that people have most often: each key, click, choice and typed text is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { closeWindow, openWindow, type Window } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { clock } = world

/** A person's hands on a page, which count. */
class Hands {
  actions = 0

  constructor(readonly page: Window) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
    this.actions += keys.length
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    this.actions += 1
  }

  async click(target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    await target.click(options)
    this.actions += 1
  }
}

interface Task {
  name: string
  actions: number
  /** Where it begins; the project has the checks Job 1 to Job 10. */
  from: 'list' | 'check'
  carryOut: (hands: Hands, page: Window) => Promise<void>
}

const status = (page: Window, text: string | RegExp) => page.getByRole('status').getByText(text)
const heading = (page: Window, name: string) => page.getByRole('heading', { name })

const TASKS: readonly Task[] = [
  {
    name: 'create a check and copy its command',
    from: 'list',
    actions: 4,
    carryOut: async (hands, page) => {
      await hands.press('n')
      await page.waitForURL('**/add/')
      await hands.type('Nightly')
      await hands.press('Enter')
      await heading(page, 'Nightly').waitFor()
      await hands.click(page.getByRole('button', { name: /^Copy/ }).first())
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /curl .*\/ping\//)
    },
  },
  {
    name: 'see why a check is down',
    from: 'list',
    actions: 0,
    carryOut: async (_hands, page) =>
      page
        .getByText(/exit status 3/i)
        .first()
        .waitFor(),
  },
  {
    name: 'read the output of the failure',
    from: 'list',
    actions: 2,
    carryOut: async (hands, page) => {
      await hands.press('j', 'Enter')
      await page.getByText('disk is full').first().waitFor()
    },
  },
  {
    name: 'snooze a check for an hour',
    from: 'check',
    actions: 3,
    carryOut: async (hands, page) => {
      await hands.press('s')
      await page.getByRole('dialog', { name: 'Search' }).waitFor()
      await hands.type('1')
      await hands.press('Enter')
      await status(page, /Snoozed until/).waitFor()
    },
  },
  {
    name: 'pause a check and undo that',
    from: 'list',
    actions: 3,
    carryOut: async (hands, page) => {
      await hands.press('j', 'p')
      await status(page, 'Paused Job 10.').waitFor()
      await hands.press('z')
      await status(page, 'Undone.').waitFor()
    },
  },
  {
    name: 'open a check by its name from anywhere',
    from: 'check',
    actions: 3,
    carryOut: async (hands, page) => {
      await hands.press('Control+k')
      await page.getByRole('dialog', { name: 'Search' }).waitFor()
      await hands.type('job 7')
      await hands.press('Enter')
      await heading(page, 'Job 7').waitFor()
    },
  },
  {
    name: 'see the failing checks of all projects',
    from: 'list',
    actions: 2,
    carryOut: async (hands, page) => {
      await hands.press('g', 'p')
      await page.locator('#down-now').getByText('Job 10').waitFor()
    },
  },
  {
    name: 'change the period of ten checks',
    from: 'list',
    actions: 6,
    carryOut: async (hands, page) => {
      const boxes = page.getByRole('checkbox', { name: /^Select Job/ })
      await hands.click(boxes.first())
      await hands.click(boxes.last(), { modifiers: ['Shift'] })
      await hands.press('b')
      const drawer = page.getByRole('dialog')
      await hands.click(drawer.getByLabel('Schedule', { exact: true }))
      await drawer.locator('input:focus').waitFor()
      await hands.type('2 h')
      assert.equal(await drawer.getByLabel('Period', { exact: true }).inputValue(), '2 h')
      await hands.click(drawer.getByRole('button', { name: 'Change 10 checks' }))
      await status(page, /Changed 10 checks/).waitFor()
    },
  },
  {
    name: 'give ten checks a tag',
    from: 'list',
    actions: 5,
    carryOut: async (hands, page) => {
      const boxes = page.getByRole('checkbox', { name: /^Select Job/ })
      await hands.click(boxes.first())
      await hands.click(boxes.last(), { modifiers: ['Shift'] })
      await hands.click(page.locator('#bulk summary', { hasText: 'Tags' }))
      await page.locator('#bulk [name=tags]:focus').waitFor()
      await hands.type('prod')
      await hands.press('Enter')
      await status(page, 'Changed the tags of 10 checks.').waitFor()
    },
  },
  {
    name: 'see what went wrong last night in all checks',
    from: 'list',
    actions: 3,
    carryOut: async (hands, page) => {
      await hands.press('g', 't')
      await page.waitForURL('**/timeline/')
      await hands.click(page.getByRole('link', { name: 'Last night' }))
      await page
        .getByRole('link', { name: 'Last night', exact: true })
        .and(page.locator('[aria-current]'))
        .waitFor()
    },
  },
  {
    name: 'compare the last run with the last success',
    from: 'check',
    actions: 1,
    carryOut: async (hands, page) => {
      await hands.click(page.getByRole('link', { name: 'Compare', exact: true }))
      await heading(page, 'Compare two runs').waitFor()
    },
  },
  {
    name: 'compare an older run with the success before it',
    from: 'check',
    actions: 2,
    carryOut: async (hands, page) => {
      await hands.click(page.locator('#run-list summary').nth(1))
      await hands.click(page.getByRole('link', { name: 'Compare with the success before' }))
      await page.waitForURL(/\?b=2$/)
      await heading(page, 'Compare two runs').waitFor()
    },
  },
]

for (const { name, from, actions, carryOut } of TASKS) {
  test(`to ${name} takes ${actions} actions`, async () => {
    const person = await world.person(name.replace(/\W+/g, '-'))
    const { id, uuid } = await world.projectOf(person, 'Jobs')
    const uuids = []
    for (let n = 1; n <= 10; n++) uuids.push(await world.addCheck(`Job ${n}`, id))
    const last = uuids[9]
    for (const path of ['', '', '/3']) {
      await fetch(`${world.root}/ping/${last}${path}`, { method: 'POST', body: 'the disk is full' })
      clock.advance(60)
    }
    const at = from === 'list' ? `/projects/${uuid}/checks/` : `/checks/${last}/details/`
    const page = await openWindow(world, person, at)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const hands = new Hands(page)
    await carryOut(hands, page)
    assert.equal(hands.actions, actions)
    await closeWindow(page)
  })
}
