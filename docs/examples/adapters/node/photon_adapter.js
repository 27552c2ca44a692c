'use strict';
// Serves an adapter of Photon's: hand `serve` a function that joins, and it speaks Photon's protocol.

const path = require('path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const PROTOCOL = 1;
const MESSAGE_BYTES_MAX = 32 << 20;
const ANSWER_EVERY_MILLIS = 100;

const definition = loader.loadSync(path.join(__dirname, 'adapter.proto'), {
  longs: String, // An id has 64 bits, and a number of JavaScript has 53.
  enums: String,
  defaults: true,
  oneofs: true,
});
const { Adapter } = grpc.loadPackageDefinition(definition).photon.adapter.v1;

/** An option of the configuration is wrong: Photon ends its start with this message. */
class WrongOption extends Error {}

/** Writes joined events: each is an object that becomes one line of JSON. */
const emit = (...events) => ({
  emit: { events: events.map((event) => ({ json: Buffer.from(JSON.stringify(event)) })) },
});

/** Leaves the foreign event out for good; it is counted under the reason. */
const skip = (reason) => ({ skip: reason });

/** Tries again later: something that this call needed is away. */
const retry = (reason) => ({ retry: reason });

/** Refuses the foreign event for good: it goes to the dead-letter log. */
const reject = (reason) => ({ reject: reason });

/**
 * Serves until Photon ends. `make` gets the options, an object of texts, and returns the function that joins: it gets a
 * foreign event and its primary event, each with `id`, `timestampMicros` and `json` (a Buffer), and returns a decision or
 * a promise of one.
 *
 * With `takesUnmatched`, for a configuration with `unmatched`, the primary event is null where it has not come in time.
 * The third argument says, where the configuration has `unmatched.upgrade`, whether the foreign event was joined without
 * its primary event before.
 *
 * Listens where Photon says if Photon has started this process, otherwise at the address in the first argument.
 */
function serve(name, version, make, { takesUnmatched = false } = {}) {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  });
  const welcome = { protocol: PROTOCOL, name, version, effect: 'EFFECT_SAFE', takesUnmatched };
  server.addService(Adapter.service, { join: (call) => session(call, welcome, make) });
  const socket = process.env.PHOTON_ADAPTER_SOCKET;
  const address = socket ? `unix:${socket}` : process.argv[2];
  server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (failure) => {
    if (failure) {
      console.error(`cannot listen at ${address}: ${failure.message}`);
      process.exit(1);
    }
  });
  if (socket) {
    // Photon holds this input open while it lives, however it ends.
    process.stdin.resume();
    process.stdin.on('end', () => process.exit(0));
  }
}

function session(call, welcome, make) {
  let join;
  call.on('error', () => {}); // Photon has broken it off, and asks again in another session.
  call.on('end', () => call.end());
  call.on('data', async (message) => {
    if (message.message === 'hello') {
      const problem = problemOf(message.hello, (options) => (join = make(options)));
      if (problem) {
        call.write({ refusal: { problems: [problem] } });
        call.end();
      } else {
        call.write({ welcome });
      }
    } else if (message.message === 'batch') {
      // Photon takes an adapter that answers nothing for adapter.timeout for one that hangs.
      let answers = [];
      const tell = () => {
        if (answers.length > 0 && !call.cancelled) {
          call.write({ answers: { answers } });
        }
        answers = [];
      };
      const open = [];
      let told = Date.now();
      for (const pair of message.batch.pairs) {
        open.push(answer(join, pair).then((one) => answers.push(one)));
        if (Date.now() - told >= ANSWER_EVERY_MILLIS) {
          await new Promise(setImmediate); // A join that waits for nothing lets nothing else run.
          tell();
          told = Date.now();
        }
      }
      const timer = setInterval(() => (call.cancelled ? clearInterval(timer) : tell()), ANSWER_EVERY_MILLIS);
      await Promise.all(open);
      clearInterval(timer);
      tell();
    }
  });
}

function problemOf(hello, begin) {
  if (hello.protocolMin > PROTOCOL || hello.protocolMax < PROTOCOL) {
    return `it speaks version ${PROTOCOL} of the protocol only`;
  }
  try {
    begin({ ...hello.options });
    return '';
  } catch (wrong) {
    if (wrong instanceof WrongOption) {
      return wrong.message;
    }
    throw wrong;
  }
}

async function answer(join, pair) {
  try {
    return { id: pair.id, ...(await join(pair.foreign, pair.primary, pair.upgrade)) };
  } catch (failure) {
    return { id: pair.id, retry: String(failure) }; // One pair must not end the session of the others.
  }
}

module.exports = { WrongOption, emit, skip, retry, reject, serve };
