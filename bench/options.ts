import { parseArgs } from 'node:util'

export interface Options {
  /** Only the cases whose name contains this; empty for all. */
  only: string
  /** How often each figure is measured; the median counts. */
  runs: number
  /** How long each load lasts. */
  seconds: number
  /** A server that is running already, with a read-write API key of an empty project on it. */
  against: { url: string; key: string } | null
  /** Where databases are made; a folder on a real disk. */
  folder: string
}

export const USAGE = `npm run bench -- [options]

  --only WORD      only the cases whose name contains the word
  --runs N         how often each figure is measured; the median counts (3)
  --seconds N      how long each load lasts (5)
  --folder PATH    where databases are made, on a real disk (bench/.data)
  --against URL    measure the server at URL instead, the HTTP cases alone
  --key KEY        a read-write API key of an empty project on that server`

/** Reads the command line. Throws an error whose message says what is wrong with it. */
export function readOptions(args: string[], folder: string): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: '' },
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      folder: { type: 'string', default: folder },
      against: { type: 'string' },
      key: { type: 'string' },
    },
  })
  if ((values.against === undefined) !== (values.key === undefined)) {
    throw new Error('--against and --key belong together')
  }
  return {
    only: values.only,
    runs: positive('--runs', values.runs),
    seconds: positive('--seconds', values.seconds),
    folder: values.folder,
    against: values.against === undefined ? null : { url: new URL(values.against).origin, key: values.key! },
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`${name} must be a whole number from 1 up`)
  return number
}
