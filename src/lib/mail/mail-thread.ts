/** The thread that parses e-mails, one at a time: see mail-reader.ts. */
import { parentPort } from 'node:worker_threads'
import { parseMailTexts } from './mail-texts.js'

const port = parentPort!

port.on('message', async (raw: Uint8Array) => {
  port.postMessage(await parseMailTexts(raw))
})
port.postMessage('ready')
