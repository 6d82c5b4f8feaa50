/** Silences of a file that nothing can be made of any more. */
import { isObject } from './config-field.js'
import type { ProjectConfig, WantedConfig } from './project-config.js'

/**
 * What a file asks for, without silences that were to end once and are over at `now` (ms). They stay in files, and a
 * project that never had them needs none; those that it has are compared as others are.
 */
export function withoutOver(wanted: WantedConfig, current: ProjectConfig, now: number): WantedConfig {
  const oldKeys = new Map(wanted.moved.map(({ section, from, to }) => [`${section}.${to}`, from]))
  const silences = [...wanted.objects.silences].filter(([key, values]) => {
    const when = values.get('when')
    const isOver = isObject(when) && typeof when.to === 'string' && Date.parse(when.to) <= now
    const isKnown = [key, oldKeys.get(`silences.${key}`) ?? key].some(one => current.silences.has(one))
    return isKnown || !isOver
  })
  return { ...wanted, objects: { ...wanted.objects, silences: new Map(silences) } }
}
