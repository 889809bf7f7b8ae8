# Compiles the files of a task, or of another folder, together, MOTET_UNITY at a time: parsed headers and repeated
# templates cost more than our own code, so this more than halves a build. Names in unnamed namespaces are therefore
# different within a task, its subfolders included; tools/run_tidy.py relies on it too. -DMOTET_UNITY=1 compiles
# every file alone; ./motet and the sanitizers' builds take 24, since most of the
# time they compile everything.
set(MOTET_UNITY 8 CACHE STRING "How many files of a task are compiled together")

# Kernels that are measurably faster alone: the compiler inlines less in a large unit.
set(motet_kernels
  multilabel/search/sphere_decoder.cpp
  temporal/field/icm.cpp)

function(motet_unity target)
  if(NOT MOTET_UNITY GREATER 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # the warning takes our files for headers
  if(MOTET_UNITY GREATER 8)
    target_compile_options(${target} PRIVATE -Wno-shadow)  # by names of files that have nothing to do with each other
  endif()
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "\\.cpp$")
  list(SORT files)
  list(TRANSFORM motet_kernels PREPEND ${PROJECT_SOURCE_DIR}/src/motet/ OUTPUT_VARIABLE kernels)
  foreach(file IN LISTS files)
    if(file IN_LIST kernels)
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REGEX MATCH "^(src/motet|[a-z]+)/(app/)?[a-z]*/?" folder "${file}")
    string(MAKE_C_IDENTIFIER "${folder}" key)
    math(EXPR group "0${count_${key}} / ${MOTET_UNITY}")
    math(EXPR count_${key} "0${count_${key}} + 1")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/${file} PROPERTIES UNITY_GROUP "${key}_${group}")
  endforeach()
endfunction()
