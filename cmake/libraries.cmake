# The rooms of src/motet/ as libraries. Every file is compiled once, into an OBJECT library; out of those are made
#
#   motet_core           everything, for the program and the tests
#   libmotet             base/ to sources/: what all tasks stand on
#   libmotet-TASK        one task and its door, static and shared
#
# What only the program needs, and with it SQLite, libsvm, XGBoost, libsndfile, soxr, matio, pugixml, CLI11 and npm, is in no
# library of a task: readers of files, reports, verbs, the comparison and the clips of multilabel, the project file of discover,
# what audio learns from clips.
set(motet_tasks judges roles multilabel superset temporal discover audio)

file(GLOB_RECURSE motet_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/motet/*.cpp)
list(REMOVE_ITEM motet_sources ${PROJECT_SOURCE_DIR}/src/motet/cli/main.cpp)
set(motet_program_files
  "/src/motet/(io|report|app|cli)/|/multilabel/(baselines|clips)/|/discover/project/|/audio/scenes/")

# motet_objects(NAME FILE...): the OBJECT library motet_NAME_objects.
function(motet_objects name)
  set(target motet_${name}_objects)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE fmt::fmt Eigen3::Eigen Boost::headers)
  # Nobody replaces a function of a shared library by one of their own, so calls within it may be inlined.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  if(NOT name STREQUAL "common")
    # Tasks are built on the inside of libmotet, so only that library shows its inside.
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  if(MOTET_DEVELOPER)
    # g++ 12 sees overlaps in std::string that are not there, hence -Wno-restrict.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Werror -Wno-restrict)
  endif()
  motet_unity(${target})
endfunction()

# motet_select(VARIABLE FILES INCLUDE|EXCLUDE PATTERN): those of a list of files whose path fits, or does not.
function(motet_select variable files kind pattern)
  list(FILTER files ${kind} REGEX "${pattern}")
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

string(REPLACE ";" "|" task_names "${motet_tasks}")
motet_select(task_sources "${motet_sources}" EXCLUDE "${motet_program_files}")
motet_select(files "${task_sources}" EXCLUDE "/src/motet/(door/)?(${task_names})[/.]")
if(MOTET_TSAN)
  motet_select(files "${files}" EXCLUDE "/src/motet/door/")
endif()
list(REMOVE_ITEM files ${PROJECT_SOURCE_DIR}/src/motet/data/eigen.cpp)
set(record_files ${PROJECT_SOURCE_DIR}/src/motet/io/json.cpp ${PROJECT_SOURCE_DIR}/src/motet/io/record_text.cpp)
motet_objects(common ${files} ${record_files})
motet_objects(eigen ${PROJECT_SOURCE_DIR}/src/motet/data/eigen.cpp)  # in each library, since none shows Eigen
target_link_libraries(motet_common_objects PRIVATE nlohmann_json::nlohmann_json)
set(motet_all_objects motet_common_objects motet_eigen_objects)

foreach(task ${motet_tasks})
  motet_select(files "${task_sources}" INCLUDE "/src/motet/${task}/")
  motet_objects(${task} ${files})
  list(APPEND motet_all_objects motet_${task}_objects)
  if(NOT MOTET_TSAN)
    motet_objects(${task}_door ${PROJECT_SOURCE_DIR}/src/motet/door/${task}.cpp)
    if(MOTET_DEVELOPER)
      list(APPEND motet_all_objects motet_${task}_door_objects)  # for the tests; the program uses no door
    endif()
  endif()
endforeach()
target_link_libraries(motet_discover_objects PRIVATE ZLIB::ZLIB)

if(MOTET_PROGRAM)
  motet_select(files "${motet_sources}" INCLUDE "${motet_program_files}")
  list(REMOVE_ITEM files ${record_files})
  motet_select(told "${files}" INCLUDE "/src/motet/(report|app|cli)/")
  list(REMOVE_ITEM files ${told})
  motet_objects(program ${files})
  target_link_libraries(motet_program_objects PRIVATE ZLIB::ZLIB SQLite::SQLite3 pugixml::pugixml)
  list(APPEND motet_all_objects motet_program_objects)
  if(NOT MOTET_TSAN)
    motet_objects(told ${told})
    target_link_libraries(motet_told_objects PRIVATE CLI11::CLI11 ZLIB::ZLIB)
    target_compile_options(motet_told_objects PRIVATE -O1)  # texts and pages: what they cost is compiling them
    list(APPEND motet_all_objects motet_told_objects)
  endif()

  list(TRANSFORM motet_all_objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(motet_core STATIC ${objects})
  set_target_properties(motet_core PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(motet_core PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(motet_core PUBLIC cxx_std_20)
  target_link_libraries(motet_core PUBLIC Threads::Threads PRIVATE fmt::fmt ZLIB::ZLIB SQLite::SQLite3
    pugixml::pugixml ${MOTET_SNDFILE} ${MOTET_SOXR} ${MOTET_SVM} ${MOTET_XGBOOST} ${MOTET_MATIO})
endif()

# The libraries for users, out of the same objects.
if(MOTET_LIBRARIES AND NOT MOTET_TSAN)
  # motet_library(COMPONENT OBJECTS...): static and shared; motet::COMPONENT is one of them, by BUILD_SHARED_LIBS.
  function(motet_library component)
    set(objects eigen ${ARGN})
    list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:motet_\\1_objects>")
    set(name motet-${component})
    if(component STREQUAL "common")
      set(name motet)
    endif()
    add_library(motet_${component}_static STATIC ${objects})
    add_library(motet_${component}_shared SHARED ${objects})
    foreach(kind static shared)
      set(target motet_${component}_${kind})
      target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
      target_compile_features(${target} INTERFACE cxx_std_20)
      set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${component} LINKER_LANGUAGE CXX
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
      if(NOT component STREQUAL "common")
        target_link_libraries(${target} PUBLIC motet_common_${kind})
      endif()
      target_link_libraries(${target} PRIVATE fmt::fmt Threads::Threads)
    endforeach()
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(motet_${component}_shared PRIVATE -Wl,--version-script=${exports} -Wl,--no-undefined)
    set_target_properties(motet_${component}_shared PROPERTIES LINK_DEPENDS ${exports})
    if(BUILD_SHARED_LIBS)
      add_library(motet::${component} ALIAS motet_${component}_shared)
    else()
      add_library(motet::${component} ALIAS motet_${component}_static)
    endif()
  endfunction()

  motet_library(common common)
  foreach(task ${motet_tasks})
    motet_library(${task} ${task} ${task}_door)
  endforeach()
  # discover is built on the inside of temporal, which libmotet-temporal does not show.
  target_sources(motet_discover_shared PRIVATE $<TARGET_OBJECTS:motet_temporal_objects>)
  target_link_libraries(motet_discover_static PUBLIC motet_temporal_static PRIVATE ZLIB::ZLIB)
  target_link_libraries(motet_discover_shared PRIVATE ZLIB::ZLIB)
endif()
