-- What wrk asks for: the paths of a file, one after the other, with a key.
--
--     wrk … -s load.lua URL -- KEY PATHS OFFSET
--
-- OFFSET: which path comes first.

local requests = {}
local current = 0

function init(args)
   local key, file, offset = args[1], args[2], tonumber(args[3])
   local headers = { Authorization = "Bearer " .. key }
   for path in io.lines(file) do
      requests[#requests + 1] = wrk.format("GET", path, headers)
   end
   current = offset % #requests
end

function request()
   current = current % #requests + 1
   return requests[current]
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '\n{"requests":%d,"seconds":%f,"failed":%d,"p50Us":%d,"p99Us":%d,"p999Us":%d}\n',
      summary.requests, summary.duration / 1e6, failed,
      latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
