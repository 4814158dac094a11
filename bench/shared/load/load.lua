-- What wrk asks for: the paths of a file, one after the other, with a key.
--
--     wrk … -s load.lua URL -- KEY PATHS OFFSET DEPTH
--
-- OFFSET: which path comes first. DEPTH: requests sent at once on a connection.

local batches = {}
local current = 0

function init(args)
   local key, file, offset, depth = args[1], args[2], tonumber(args[3]), tonumber(args[4])
   local headers = { Authorization = "Bearer " .. key }
   local requests = {}
   for path in io.lines(file) do
      requests[#requests + 1] = wrk.format("GET", path, headers)
   end
   for first = 1, #requests, depth do
      local batch = {}
      for step = 0, depth - 1 do
         batch[#batch + 1] = requests[(first + step - 1) % #requests + 1]
      end
      batches[#batches + 1] = table.concat(batch)
   end
   current = math.floor(offset / depth) % #batches
end

function request()
   current = current % #batches + 1
   return batches[current]
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '\n{"requests":%d,"seconds":%f,"failed":%d,"p50Us":%d,"p99Us":%d,"p999Us":%d}\n',
      summary.requests, summary.duration / 1e6, failed,
      latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
