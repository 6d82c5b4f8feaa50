import type { PingQueue } from '../../src/actions/pings/record-pings.js'

type PingStore = ConstructorParameters<typeof PingQueue>[0]
type Methods = PingStore['pings']

/** What a queue needs of a store: it records pings by `record`, and those in line once `isFree` resolves. */
export function pingStore(
  record: Methods['record'],
  probe: Methods['probe'] = async () => {},
  isFree: (checkId: number) => Promise<void> = async () => {},
): PingStore {
  const recordInLine: Methods['recordInLine'] = async (checkId, take) => {
    await isFree(checkId)
    return await record(take())
  }
  const recordLarge: Methods['recordLarge'] = async take => await record(take())
  return { pings: { record, recordLarge, recordInLine, probe } }
}
